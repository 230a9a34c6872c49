import { recordHeartbeat } from '@/lib/engine/directives';
import { scopeOfRunner } from '@/lib/identity/tenancy/make-scope';
import type { TenantScope } from '@/lib/platform/db/scope';
import type { Capabilities } from '@/lib/protocol/schema';
import { TEST_CAPABILITIES } from '@/tests/support/cast/capabilities';
import { type Cast, enrolTestRunner } from '@/tests/support/cast/organization';

/** Another runner of the pool. `capabilities` null: it never connected. */
export async function secondRunner(
  cast: Cast,
  capabilities: Capabilities | null = TEST_CAPABILITIES,
  at = new Date(),
  name = 'second',
): Promise<TenantScope> {
  const scope = await scopeOfRunner(await enrolTestRunner(cast.alice, name));
  if (capabilities) await recordHeartbeat(scope, { protocol: 1, capabilities, running: [] }, at);
  return scope;
}
