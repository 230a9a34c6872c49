import { readPredecessor, readScene } from '@/lib/engine/attempt/context-data';
import type { AttemptRow } from '@/lib/engine/attempt/data';
import { getSpending } from '@/lib/engine/budget/data';
import { handoffSchema } from '@/lib/engine/continuation/handoff/schema';
import type { ToolCallFact } from '@/lib/engine/continuation/tool-calls';
import { listActionsInForce } from '@/lib/engine/cooldowns/recorded-actions';
import { listSessionFacts } from '@/lib/engine/ending/data';
import { toolCallsOf } from '@/lib/engine/ending/tool-calls';
import { cliVersionOf } from '@/lib/fleet/posture';
import type { TenantScope } from '@/lib/platform/db/scope';
import type { TenantDb } from '@/lib/platform/db/tenant-db';
import { NotFoundError } from '@/lib/platform/errors';
import { getConfig } from '@/lib/projects/project-rows';
import type { ClaimFacts } from './facts';

/** `scope`: of the runner that asks. The attempt is locked. */
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
    ...(await readPredecessor(db, organizationId, session.parentSessionId, cliVersion)),
    runner,
    frozen,
    live,
    actions: await listActionsInForce(db, project.id, live.cooldowns, now),
    spending: await getSpending(db, organizationId, project.id, chain.id, now),
    own: isContinuation ? await readPredecessor(db, organizationId, session.id, cliVersion) : null,
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

/** What has arrived since the attempt before was settled is among them. */
async function listEarlierCalls(
  db: TenantDb,
  { organizationId }: TenantScope,
  { id, sessionId }: AttemptRow,
): Promise<ToolCallFact[]> {
  const facts = await listSessionFacts(db, organizationId, sessionId);
  return toolCallsOf(facts.flatMap(({ attemptId, event }) => (attemptId === id ? [] : event)));
}
