/** The facts that a tier's start is decided and built from, read in the claim's transaction. */

import {
  type Predecessor,
  readPredecessor,
  readScene,
  type Scene,
} from '@/lib/engine/attempt/context-data';
import type { AttemptRow } from '@/lib/engine/attempt/data';
import type { Spending } from '@/lib/engine/budget';
import { handoffSchema } from '@/lib/engine/continuation/handoff/schema';
import type { ToolCallFact } from '@/lib/engine/continuation/tool-calls';
import { listActionsInForce, type RecordedAction } from '@/lib/engine/cooldowns/recorded-actions';
import { listSessionFacts } from '@/lib/engine/ending/data';
import { toolCallsOf } from '@/lib/engine/ending/tool-calls';
import { getSpending } from '@/lib/engine/ledger-data';
import { cliVersionOf } from '@/lib/fleet/posture';
import type { TenantScope } from '@/lib/platform/db/scope';
import type { TenantDb } from '@/lib/platform/db/tenant-db';
import { NotFoundError } from '@/lib/platform/errors';
import { getConfig } from '@/lib/projects/project-rows';
import type { ProjectConfig } from '@/lib/projects/schema';

export interface ClaimFacts extends Omit<Scene, 'runner'>, Predecessor {
  /** The runner that claims. */
  runner: NonNullable<Scene['runner']>;
  /** The configuration of the chain's version. */
  frozen: ProjectConfig;
  /** The current configuration. */
  live: ProjectConfig;
  /** Actions of the project within the longest cooldown window. */
  actions: readonly RecordedAction[];
  spending: Spending;
  /** It is to continue the session's own conversation, so the session itself is the `parent`. */
  isContinuation: boolean;
  /** An earlier attempt of the session has continued it. */
  hasContinued: boolean;
  /** Calls of the session's earlier attempts, late events included; null for a first attempt. */
  earlierCalls: readonly ToolCallFact[] | null;
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
  const scene = await readScene(db, organizationId, attempt.sessionId, actor.id, now);
  const { session, chain, project, runner } = scene;
  if (!runner) throw new NotFoundError();
  const frozen = await getConfig(db, project.id, chain.projectVersion);
  const live = await getConfig(db, project.id, project.currentVersion);
  const isContinuation = attempt.purpose === 'continue';
  const cliVersion = cliVersionOf(runner.posture, frozen.harness);
  return {
    ...scene,
    ...(await readPredecessor(
      db,
      organizationId,
      isContinuation ? session.id : session.parentSessionId,
      cliVersion,
    )),
    runner,
    frozen,
    live,
    actions: await listActionsInForce(db, project.id, live.cooldowns, now),
    spending: await getSpending(db, organizationId, project.id, chain.id, now),
    isContinuation,
    hasContinued:
      isContinuation &&
      (await db.attempt.count({
        where: { sessionId: session.id, purpose: 'continue', id: { not: attempt.id } },
      })) > 0,
    earlierCalls: attempt.number > 1 ? await listEarlierCalls(db, scope, attempt) : null,
    affected: scene.handoff ? handoffSchema.parse(scene.handoff.payload).services_affected : [],
    isDryRunForced: installation.isDryRunForced,
  };
}

/** Returns the calls of earlier attempts, with those that arrived after their settlement. */
async function listEarlierCalls(
  db: TenantDb,
  { organizationId }: TenantScope,
  { id, sessionId }: AttemptRow,
): Promise<ToolCallFact[]> {
  const facts = await listSessionFacts(db, organizationId, sessionId);
  return toolCallsOf(facts.flatMap(({ attemptId, event }) => (attemptId === id ? [] : event)));
}
