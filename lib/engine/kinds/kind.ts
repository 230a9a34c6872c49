/**
 * The two kinds of work item, a tier of a chain and a turn of a conversation. They share the
 * engine: claim, events, end, ledger. This interface contains the differences, and no other file
 * branches on the kind.
 */

import type { TenantScope } from '@/lib/platform/db/scope';
import type { TenantDb } from '@/lib/platform/db/tenant-db';
import type { PendingJob } from '@/lib/platform/queue/enqueue';
import type { ProjectConfig } from '@/lib/projects/schema';
import type { RunnerEvent } from '@/lib/protocol/events';
import type { AttemptResult } from '@/lib/protocol/schema';
import type { AttemptPurpose, StartSpec } from '@/lib/protocol/spec';
import type { Refusal } from '../approvals/refusals';
import type { Predecessor } from '../attempt/context-data';
import type { AttemptRow } from '../attempt/data';
import type { ResumeValues } from '../continuation/reasons';
import type { ResumeDecision, StartDecision } from '../continuation/schema';
import type { ResumeInput } from '../continuation/stored-input';
import type { FollowUp } from '../follow-up';
import type { ClosedGate } from '../start-policy/gate';

/** Work that a runner claims: the facts that the engine reads. The facts of a kind include more. */
export interface ClaimedWork extends Pick<Predecessor, 'parent' | 'owner' | 'pointer'> {
  attempt: AttemptRow;
  runner: NonNullable<Predecessor['owner']>;
  session: {
    id: string;
    number: number;
    tier: number;
    /** How it started, which a continuation doesn't change; null before its first start. */
    mechanism: string | null;
    isFallback: boolean;
  };
  project: { id: string; name: string };
  /** UUID; null for a turn. */
  chainId: string | null;
  /** Services and secrets that the agent gets. */
  config: Pick<ProjectConfig, 'services' | 'secrets' | 'tiers'>;
  /** What people have refused in its incident. */
  refusals: readonly Refusal[];
  /** A person has requested its end. */
  isStopping: boolean;
  /** Only runners whose version knows turns of conversations can run it. */
  isForNewRunners: boolean;
  /** Values for the sentence of a decision that only this kind knows. */
  words: Pick<ResumeValues, 'denial' | 'deniedCli' | 'turn'>;
  /** It continues a session whose process ended. */
  isContinuation: boolean;
}

/** How a kind of work is claimed: what is read, what follows from it, and what is then stored. */
export interface Claims<Work extends ClaimedWork> {
  /** Reads a locked attempt that a runner claims. `scope` is the runner's. */
  read(db: TenantDb, scope: TenantScope, attempt: AttemptRow, now: Date): Promise<Work>;
  /** Returns the gate that is closed now; null if the work may start. */
  gate(work: Work, now: Date): ClosedGate | null;
  resumeInput(work: Work, now: Date): ResumeInput;
  /** Returns the purpose that the decision assigns to the attempt; null: it keeps its own. */
  newPurpose(work: Work, decision: ResumeDecision): AttemptPurpose | null;
  /** Stores why the work doesn't start, and ends it if it never will. */
  hold(
    db: TenantDb,
    scope: TenantScope,
    work: Work,
    gate: ClosedGate,
    now: Date,
  ): Promise<PendingJob[]>;
  /** Ends the work, because the decision is that it must not start. */
  refuse(
    db: TenantDb,
    scope: TenantScope,
    work: Work,
    because: { reason: string; sentence: string },
    now: Date,
  ): Promise<PendingJob[]>;
  buildStart(db: TenantDb, work: Work, decision: StartDecision, now: Date): Promise<StartSpec>;
  /** Returns whether the conversation of such a start holds text of other systems. */
  isTainted(db: TenantDb, work: Work, decision: StartDecision, start: StartSpec): Promise<boolean>;
  /** Called once it is claimed, in the same transaction. `sentence` says how it continues. */
  started(
    db: TenantDb,
    scope: TenantScope,
    work: Work,
    decision: StartDecision,
    sentence: string,
    now: Date,
  ): Promise<PendingJob[]>;
}

/** A kind gets back only the work that it has read itself. */
export interface WorkKind extends Claims<ClaimedWork> {
  /** Processes new stored events of a locked attempt. */
  keepEvents(
    db: TenantDb,
    attempt: AttemptRow,
    events: readonly { at: string; event: RunnerEvent }[],
    isLate: boolean,
  ): Promise<void>;
  /** Settles a locked attempt with an unsettled result. */
  settle(
    db: TenantDb,
    scope: TenantScope,
    attempt: AttemptRow,
    result: AttemptResult,
    now: Date,
  ): Promise<FollowUp>;
  /** Returns the tier under which the ledger books work of a session of this tier. */
  ledgerTier(sessionTier: number): number;
  /** Completes a session that ended without a settlement, in the same transaction. */
  endUnsettled(db: TenantDb, attempt: AttemptRow, now: Date): Promise<void>;
}
