import { readPredecessor, readScene } from '@/lib/engine/attempt/context-data';
import type { AttemptRow } from '@/lib/engine/attempt/data';
import { getSpending } from '@/lib/engine/budget/data';
import { handoffSchema } from '@/lib/engine/continuation/handoff/schema';
import { listActionsInForce } from '@/lib/engine/cooldowns/recorded-actions';
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
  const cliVersion = cliVersionOf(runner.posture, frozen.harness);
  return {
    ...scene,
    ...(await readPredecessor(db, organizationId, session.parentSessionId, cliVersion)),
    runner,
    frozen,
    live,
    actions: await listActionsInForce(db, project.id, live.cooldowns, now),
    spending: await getSpending(db, organizationId, project.id, chain.id, now),
    affected: scene.handoff ? handoffSchema.parse(scene.handoff.payload).services_affected : [],
    isDryRunForced: installation.isDryRunForced,
  };
}
