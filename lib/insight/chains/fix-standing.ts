import type { TenantScope } from '@/lib/platform/db/scope';
import { inTransaction } from '@/lib/platform/db/tenant-db';
import { requireId } from '@/lib/platform/ids';
import { findFixFacts } from './data';
import type { FixStanding } from './schema';

/** The first chain after a reported fix that says something about the services. */
export interface NextLook {
  number: number;
  outcome: string;
  servicesAffected: readonly string[];
}

/**
 * Returns whether a reported fix has held: unknown until the next chain has checked the same
 * services.
 */
export function fixStanding(
  servicesAffected: readonly string[],
  next: NextLook | null,
): FixStanding {
  if (!next) return { kind: 'unconfirmed' };
  if (next.outcome === 'healthy') return { kind: 'confirmed', by: next.number };
  const isBack = next.servicesAffected.some((service) => servicesAffected.includes(service));
  if (isBack) return { kind: 'came_back', in: next.number };
  // A problem elsewhere: that chain also checked these services and didn't name them.
  return servicesAffected.length > 0 && next.servicesAffected.length > 0
    ? { kind: 'confirmed', by: next.number }
    : { kind: 'unconfirmed' };
}

/** Returns what the next chain found about the fix that this chain (`chn_…`) reported. */
export function findFixStanding(scope: TenantScope, chainId: string): Promise<FixStanding> {
  const id = requireId('chn', chainId);
  return inTransaction(scope, async (db) => {
    const facts = (await findFixFacts(db, scope.organizationId, [id])).get(id);
    return fixStanding(facts?.services ?? [], facts?.next ?? null);
  });
}
