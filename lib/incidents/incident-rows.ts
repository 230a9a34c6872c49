import { getChainRow } from '@/lib/engine/chains/chain-rows';
import type { TenantDb } from '@/lib/platform/db/tenant-db';
import { NEED_A_HUMAN } from './transitions';

/** Returns an incident with its services and its newest chain. `incidentId` is a UUID. */
export function getIncidentRow(db: TenantDb, incidentId: string) {
  return db.incident.findFirstOrThrow({
    where: { id: incidentId },
    include: {
      services: { orderBy: { failingSince: 'asc' } },
      mergedInto: { select: { id: true, number: true } },
      chains: {
        orderBy: { at: 'desc' },
        take: 1,
        select: { chain: { select: { id: true, number: true, statusText: true, outcome: true } } },
      },
    },
  });
}
export type IncidentRow = Awaited<ReturnType<typeof getIncidentRow>>;

/**
 * Returns whether people learn of a chain's end by its incident. They don't if it needs a human although
 * the incident's services pass by now, or because of a service that no incident is about.
 *
 * @param chainId UUID of a chain whose end the incidents have taken in
 */
export async function isAnnouncedByIncident(db: TenantDb, chainId: string): Promise<boolean> {
  const incidents = await db.incident.findMany({
    where: { chains: { some: { chainId } } },
    select: { state: true, needsHumanChainId: true, services: { select: { name: true } } },
  });
  if (incidents.length === 0) return false;
  const { outcome, servicesAffected } = await getChainRow(db, chainId);
  if (!NEED_A_HUMAN.includes(outcome ?? '')) return true;
  const active = incidents.filter(({ state }) => state === 'open' || state === 'acknowledged');
  const names = active.flatMap(({ services }) => services.map(({ name }) => name));
  return (
    active.some(({ needsHumanChainId }) => needsHumanChainId === chainId) ||
    (active.length > 0 && servicesAffected.every((name) => names.includes(name)))
  );
}
