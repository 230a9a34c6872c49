import { recordHeartbeat } from '@/lib/engine/directives';
import { scopeOfRunner } from '@/lib/identity/tenancy/make-scope';
import type { TenantScope } from '@/lib/platform/db/scope';
import type { Posture } from '@/lib/protocol/schema';
import { type Cast, enrolTestRunner } from '@/tests/support/cast/organization';
import { TEST_POSTURE } from '@/tests/support/cast/posture';

/** Another runner of the pool. `posture` null: it never connected. */
export async function secondRunner(
  cast: Cast,
  posture: Posture | null = TEST_POSTURE,
  at = new Date(),
  name = 'second',
): Promise<TenantScope> {
  const scope = await scopeOfRunner(await enrolTestRunner(cast.alice, name));
  if (posture) await recordHeartbeat(scope, { protocol: 1, posture, running: [] }, at);
  return scope;
}
