import { recordAudit } from '@/lib/identity/audit/record-audit';
import { getOrganization } from '@/lib/identity/organizations/service';
import { requireMay } from '@/lib/identity/tenancy/role-matrix';
import type { TenantScope } from '@/lib/platform/db/scope';
import { inTransaction } from '@/lib/platform/db/tenant-db';
import { env } from '@/lib/platform/env';
import { NotFoundError, PreconditionFailedError } from '@/lib/platform/errors';
import { encodeId } from '@/lib/platform/ids';
import { breakDemo } from './client';
import type { DemoFault } from './schema';

/**
 * Breaks the demo's services for real, in the demo organization only: `crash` is mended by a
 * restart (tier 2), `config` needs a repair of the configuration (tier 3).
 *
 * @throws NotFoundError in any other organization
 * @throws PreconditionFailedError when the demo service did not do it, with its own sentence
 */
export async function breakDemoService(
  scope: TenantScope,
  fault: DemoFault,
): Promise<{ message: string }> {
  requireMay(scope, 'demo.break');
  const organization = await getOrganization(scope);
  if (!organization.isDemo) throw new NotFoundError();
  // Outside the transaction, since it is a call over the network.
  const answer = await breakDemo(env().dataDir, fault);
  if (!answer.ok) throw new PreconditionFailedError(answer.message);
  await inTransaction(scope, (db) =>
    recordAudit(db, scope, {
      action: 'demo.broken',
      target: encodeId('org', scope.organizationId),
      detail: { fault, answer: answer.message },
    }),
  );
  return { message: answer.message };
}
