/** The facts that a tier's start is decided and built from, read in the claim's transaction. */

import {
  type AttemptContext,
  type Predecessor,
  readAttemptContext,
  readPredecessor,
} from '@/lib/engine/attempt/context-data';
import type { AttemptRow } from '@/lib/engine/attempt/data';
import type { Spending } from '@/lib/engine/budget';
import { handoffSchema } from '@/lib/engine/continuation/handoff/schema';
import { listActionsInForce, type RecordedAction } from '@/lib/engine/cooldowns/action-rows';
import { type EarlierFacts, readEarlier } from '@/lib/engine/ending/tool-calls';
import { getSpending } from '@/lib/engine/ledger-data';
import { cliVersionOf } from '@/lib/fleet/posture';
import type { TenantScope } from '@/lib/platform/db/scope';
import type { TenantDb } from '@/lib/platform/db/tenant-db';
import { NotFoundError } from '@/lib/platform/errors';
import { getConfig } from '@/lib/projects/project-rows';
import type { ProjectConfig } from '@/lib/projects/schema';

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
  /** Services that the previous tier handed on; empty for the first tier. */
  affected: readonly string[];
  isDryRunForced: boolean;
}

/** Loads the facts of a locked attempt. `scope` is that of the claiming runner. */
export async function loadClaimFacts(
  db: TenantDb,
  scope: TenantScope,
  attempt: AttemptRow,
  installation: { isDryRunForced: boolean },
  now: Date,
): Promise<ClaimFacts> {
  const { organizationId, actor } = scope;
  const context = await readAttemptContext(db, organizationId, attempt.sessionId, actor.id, now);
  const { session, chain, project, runner } = context;
  if (!runner) throw new NotFoundError();
  const frozen = await getConfig(db, project.id, chain.projectVersion);
  const live = await getConfig(db, project.id, project.currentVersion);
  const { harness } = frozen;
  const earlier = await readEarlier(db, organizationId, attempt, harness);
  // Sent one behind the other, which costs one round trip.
  const [predecessor, actions, spending] = await Promise.all([
    readPredecessor(
      db,
      organizationId,
      earlier.isContinuation ? session.id : session.parentSessionId,
      { harness, cliVersion: cliVersionOf(runner.posture, harness) },
    ),
    listActionsInForce(db, organizationId, project.id, live.cooldowns, now),
    getSpending(db, organizationId, project.id, chain.id, now),
  ]);
  return {
    ...context,
    ...predecessor,
    runner,
    frozen,
    live,
    actions,
    spending,
    ...earlier,
    affected: context.handoff ? handoffSchema.parse(context.handoff.payload).services_affected : [],
    isDryRunForced: installation.isDryRunForced,
  };
}
