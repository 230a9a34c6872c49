import type { TenantScope } from '@/lib/platform/db/scope';
import { inTransaction } from '@/lib/platform/db/tenant-db';
import { requireId } from '@/lib/platform/ids/require-id';
import { findFixFacts } from './browse/data';
import { fixStanding } from './browse/fix-standing';
import type { FixStanding } from './browse/schema';

/** What the next cycle said about the fix that this chain (`chn_…`) reported. */
export function findFixStanding(scope: TenantScope, chainId: string): Promise<FixStanding> {
  const id = requireId('chn', chainId);
  return inTransaction(scope, async (db) => {
    const facts = (await findFixFacts(db, scope.organizationId, [id])).get(id);
    return fixStanding(facts?.services ?? [], facts?.next ?? null);
  });
}
