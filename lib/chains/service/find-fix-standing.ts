import { inTransaction } from '@/lib/db/tenant-db';
import { requireId } from '@/lib/ids/require-id';
import type { TenantScope } from '@/lib/tenancy/scope';
import { findNextLooks } from '../browse/data';
import { fixStanding } from '../browse/fix-standing';
import type { FixStanding } from '../browse/schema';

/** What the next cycle said about the fix that this chain reported. */
export function findFixStanding(
  scope: TenantScope,
  chain: { id: string; servicesAffected: readonly string[] },
): Promise<FixStanding> {
  const id = requireId('chn', chain.id);
  return inTransaction(scope, async (db) => {
    const looks = await findNextLooks(db, scope.organizationId, [id]);
    return fixStanding(chain.servicesAffected, looks.get(id) ?? null);
  });
}
