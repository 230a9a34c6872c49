import { handoffSchema } from '@/lib/engine/continuation/handoff/schema';
import { listActionsInForce } from '@/lib/engine/cooldowns/data';
import { getSpending } from '@/lib/engine/usage/data';
import type { TenantScope } from '@/lib/platform/db/scope';
import type { TenantDb } from '@/lib/platform/db/tenant-db';
import { NotFoundError } from '@/lib/platform/errors';
import { getConfig } from '@/lib/projects/data';
import type { ClaimFacts } from '../claim/facts';
import { cliVersionOf } from '../claim/posture';
import type { AttemptRow } from '../data';
import { readPredecessor, readScene } from '../scene/data';

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
