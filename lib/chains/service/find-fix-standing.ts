import { inTransaction } from '@/lib/db/tenant-db';
import { requireId } from '@/lib/ids/require-id';
import type { TenantScope } from '@/lib/tenancy/scope';
import { findBrokenServices, findNextLooks } from '../browse/data';
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
    const broken = await findBrokenServices(db, [id]);
    const services = [...chain.servicesAffected, ...(broken.get(id) ?? [])];
    return fixStanding(services, looks.get(id) ?? null);
  });
}
