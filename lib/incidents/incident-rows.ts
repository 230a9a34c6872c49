import type { TenantDb } from '@/lib/platform/db/tenant-db';

/** Returns an incident with its services and its newest chain. `incidentId` is a UUID. */
export function getIncidentRow(db: TenantDb, incidentId: string) {
  return db.incident.findFirstOrThrow({
    where: { id: incidentId },
    include: {
      services: { orderBy: { failingSince: 'asc' } },
      chains: {
        orderBy: { at: 'desc' },
        take: 1,
        select: { chain: { select: { id: true, number: true, statusText: true, outcome: true } } },
      },
    },
  });
}
export type IncidentRow = Awaited<ReturnType<typeof getIncidentRow>>;

/** Returns whether a chain is about an incident. `chainId` is a UUID. */
export async function isChainOfIncident(db: TenantDb, chainId: string): Promise<boolean> {
  return (
    (await db.incidentChain.findFirst({ where: { chainId }, select: { chainId: true } })) !== null
  );
}
