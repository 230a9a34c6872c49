/**
 * The two kinds of work item, a tier of a chain and a turn of a conversation, share the engine:
 * claim, events, end, ledger. This is where they differ; nothing else asks which of them it is.
 */
import type { TenantScope } from '@/lib/platform/db/scope';
import type { TenantDb } from '@/lib/platform/db/tenant-db';
import type { PendingJob } from '@/lib/platform/queue/pending-jobs';
import type { ProjectConfig } from '@/lib/projects/schema';
import type { RunnerEvent } from '@/lib/protocol/events';
import type { AttemptResult } from '@/lib/protocol/schema';
import type { StartSpec } from '@/lib/protocol/spec';
import type { Predecessor } from '../attempt/context-data';
import type { AttemptRow } from '../attempt/data';
import type { ResumeValues } from '../continuation/reasons';
import type { StartDecision } from '../continuation/schema';
import type { ResumeInput } from '../continuation/stored-input';
import type { Rings } from '../rings';
import type { ClosedGate } from '../start-policy';

export interface WorkKind {
  /** The attempt is locked, and a runner asks for it: `scope` is the runner's. */
  claimable(
    db: TenantDb,
    scope: TenantScope,
    attempt: AttemptRow,
    now: Date,
  ): Promise<ClaimableWork>;
  /** The attempt is locked, and new events of it are stored. */
  keepEvents(
    db: TenantDb,
    scope: TenantScope,
    attempt: AttemptRow,
    events: readonly { at: string; event: RunnerEvent }[],
    isLate: boolean,
  ): Promise<void>;
  /** The attempt is locked, and its result isn't settled yet. */
  settle(
    db: TenantDb,
    scope: TenantScope,
    attempt: AttemptRow,
    result: AttemptResult,
    now: Date,
  ): Promise<Rings>;
  /** Under which the ledger books it, for a session of this tier. */
  ledgerTier(sessionTier: number): number;
  /** Its session has ended without a settlement, in the same transaction. */
  endUnsettled(db: TenantDb, scope: TenantScope, attempt: AttemptRow, now: Date): Promise<void>;
}

/** Work that a runner asks for, with what its start is decided and built from. */
export interface ClaimableWork extends Pick<Predecessor, 'parent' | 'owner' | 'pointer'> {
  runner: NonNullable<Predecessor['owner']>;
  session: { id: string; number: number; tier: number };
  project: { id: string; name: string };
  /** UUID; null for a turn. */
  chainId: string | null;
  /** Whose services and secrets the agent gets. */
  config: Pick<ProjectConfig, 'services' | 'secrets'>;
  /** Somebody has asked for its end. */
  isStopping: boolean;
  /** Only a runner of a version that knows the turns of conversations can take it. */
  isForNewRunners: boolean;
  /** The gate that is closed now; null where it may start. */
  gate(now: Date): ClosedGate | null;
  /** Writes why it doesn't start; ends it where nothing is left to do. */
  hold(gate: ClosedGate, now: Date): Promise<PendingJob[]>;
  resumeInput(now: Date): ResumeInput;
  /** What only this kind can say about a decision. */
  words: Pick<ResumeValues, 'denial' | 'turn'>;
  /** Ends it: the decision is that it must not start. */
  refuse(reason: string, sentence: string, now: Date): Promise<PendingJob[]>;
  buildStart(decision: StartDecision, now: Date): Promise<StartSpec>;
  /** It is claimed, in the same transaction. `sentence`: how it continues. */
  started(decision: StartDecision, sentence: string, now: Date): Promise<PendingJob[]>;
}
