/** The facts that a tier's start is decided and built from, read in the claim's transaction. */

import { z } from 'zod';
import { ATTEMPT_ENDS, type AttemptEnd } from '@/lib/agents/attempt-end';
import { listOfSession, listRefusals, type VotedApprovalRow } from '@/lib/engine/approvals/data';
import type { Refusal } from '@/lib/engine/approvals/refusals';
import { storedArgv } from '@/lib/engine/approvals/words';
import {
  type AttemptContext,
  type Predecessor,
  readAttemptContext,
  readPredecessor,
} from '@/lib/engine/attempt/context-data';
import type { AttemptRow } from '@/lib/engine/attempt/data';
import type { Spending } from '@/lib/engine/budget';
import { readHandoff } from '@/lib/engine/continuation/handoff/sanitize';
import type { Handoff } from '@/lib/engine/continuation/handoff/schema';
import { listCountedActions, type RecordedAction } from '@/lib/engine/cooldowns/action-rows';
import { type EarlierFacts, readEarlier } from '@/lib/engine/ending/tool-calls';
import type { ClaimedWork } from '@/lib/engine/kinds/kind';
import { getSpending } from '@/lib/engine/ledger-data';
import {
  commandsBlock,
  type DecidedCommand,
  decisionsBlock,
} from '@/lib/engine/prompts/approval-block';
import type { UnconfinedFact } from '@/lib/engine/start-policy/facts';
import { cliVersionOf } from '@/lib/fleet/capabilities';
import type { TenantScope } from '@/lib/platform/db/scope';
import type { TenantDb } from '@/lib/platform/db/tenant-db';
import { NotFoundError } from '@/lib/platform/errors';
import { getConfig } from '@/lib/projects/project-rows';
import type { ProjectConfig } from '@/lib/projects/schema';
import { namesOfServices } from '@/lib/projects/service-names';
import type { FramedSignal } from '@/lib/signals/frame';
import { listFramedSignals } from '@/lib/signals/signal-rows';

export interface ClaimFacts extends Omit<AttemptContext, 'runner'>, Predecessor, EarlierFacts {
  /** The runner that claims. */
  runner: NonNullable<AttemptContext['runner']>;
  /** The configuration of the chain's version. */
  frozen: ProjectConfig;
  /** The current configuration. */
  live: ProjectConfig;
  /** Actions of the project within the longest cooldown window. */
  actions: readonly RecordedAction[];
  spending: Spending;
  /** What the previous tier handed on; null for the first tier. */
  given: Handoff | null;
  isDryRunForced: boolean;
  /** Alerts that the chain was started for, as they are now; only for its first session. */
  signals: readonly FramedSignal[];
  /** Of the session, oldest first; read only where the start depends on them. */
  approvals: readonly VotedApprovalRow[];
  /** What people have refused in the incident, and nobody has allowed again. */
  refusals: readonly Refusal[];
  /** Earlier attempts of the session; read with the approvals. */
  attemptsBefore: readonly { id: string; end: AttemptEnd | null }[];
  /** For the prompt of a conversation that waited for decisions; null for every other start. */
  decided: { decisions: string; commands: string } | null;
}

/** A claim of a tier. */
export interface TierWork extends ClaimFacts, ClaimedWork {
  session: ClaimFacts['session'];
  project: ClaimFacts['project'];
  runner: ClaimFacts['runner'];
  refusals: ClaimFacts['refusals'];
  /** Why the runner can't confine the agent, and which runner of its pool can; null if it can. */
  unconfined: UnconfinedFact | null;
}

/** Loads the facts of a locked attempt. `scope` is that of the claiming runner. */
export async function loadClaimFacts(
  db: TenantDb,
  scope: TenantScope,
  attempt: AttemptRow,
  installation: { isDryRunForced: boolean },
  now: Date,
): Promise<ClaimFacts> {
  const { actor } = scope;
  const context = await readAttemptContext(db, attempt.sessionId, actor.id, now);
  const { session, chain, project, runner } = context;
  if (!runner) throw new NotFoundError();
  const frozen = await getConfig(db, project.id, chain.projectVersion);
  const live = await getConfig(db, project.id, project.currentVersion);
  const { harness } = frozen;
  const earlier = await readEarlier(db, attempt, harness);
  // Sent one behind the other, which costs one round trip.
  const [predecessor, actions, spending, refusals] = await Promise.all([
    readPredecessor(db, earlier.isContinuation ? session.id : session.parentSessionId, {
      harness,
      cliVersion: cliVersionOf(runner.capabilities, harness),
    }),
    listCountedActions(db, project.id, live.cooldowns, now),
    getSpending(db, project.id, chain.id, now),
    listRefusals(db, { projectId: project.id, chainId: chain.id }),
  ]);
  return {
    ...context,
    ...predecessor,
    runner,
    frozen,
    live,
    actions,
    spending,
    refusals,
    ...earlier,
    ...(await readApprovals(db, attempt, [frozen, live], earlier, now)),
    given:
      context.handoff && readHandoff(context.handoff.payload, namesOfServices(frozen.services)),
    isDryRunForced: installation.isDryRunForced,
    signals: session.parentSessionId === null ? await listFramedSignals(db, chain.signalIds) : [],
  };
}

/** Returns what a notice about the claim is about. */
export function aboutOf({ project, chain, session }: ClaimFacts) {
  return { projectId: project.id, chainId: chain.id, sessionId: session.id };
}

/** Whether a person has to approve each start of a tier, by one of the configurations. */
export function requiresApproval(
  configs: readonly Pick<ProjectConfig, 'tiers'>[],
  tier: number,
): boolean {
  return configs.some(({ tiers }) => tiers[tier - 1]?.requiresApproval === true);
}

const attemptEndSchema = z.enum(ATTEMPT_ENDS).nullable();

async function readApprovals(
  db: TenantDb,
  { id, sessionId, purpose }: AttemptRow,
  configs: readonly ProjectConfig[],
  { events }: Pick<EarlierFacts, 'events'>,
  now: Date,
): Promise<Pick<ClaimFacts, 'approvals' | 'attemptsBefore' | 'decided'>> {
  const mayNeed = configs.some(({ tiers }) => tiers.some((tier) => tier.requiresApproval));
  if (purpose !== 'approval' && !mayNeed) {
    return { approvals: [], attemptsBefore: [], decided: null };
  }
  const before = await db.attempt.findMany({
    where: { sessionId, id: { not: id } },
    orderBy: { number: 'asc' },
    select: { id: true, end: true },
  });
  const approvals = await listOfSession(db, sessionId);
  const waited = before.at(-1)?.id;
  const given = approvals.filter((row) => row.granteeId === id);
  return {
    approvals,
    decided:
      purpose === 'approval'
        ? {
            decisions: decisionsBlock(given.flatMap((row) => decidedCommand(row, now))),
            commands: commandsBlock(
              events.flatMap((row) => (row.attemptId === waited ? row.event : [])),
            ),
          }
        : null,
    attemptsBefore: before.map((row) => ({ ...row, end: attemptEndSchema.parse(row.end) })),
  };
}

function decidedCommand(
  { argv, cwd, status, votes, expiresAt }: VotedApprovalRow,
  now: Date,
): DecidedCommand[] {
  const words = storedArgv(argv);
  if (words === null || cwd === null || status === 'withdrawn') return [];
  if (status !== 'approved' && status !== 'refused') {
    return [{ argv: words, cwd, decision: 'undecided', note: '' }];
  }
  const isExpired = status === 'approved' && expiresAt <= now;
  const verdict = status === 'approved' ? 'approve' : 'refuse';
  const note = votes.find((vote) => vote.verdict === verdict)?.note ?? '';
  return [{ argv: words, cwd, decision: isExpired ? 'undecided' : status, note }];
}
