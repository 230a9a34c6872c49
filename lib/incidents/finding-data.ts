import { listCheckedServices } from '@/lib/monitoring/checker-rows';
import type { TenantDb } from '@/lib/platform/db/tenant-db';
import { reportSchema } from '@/lib/protocol/report';
import { serviceStatusSchema } from '@/lib/protocol/spec';
import type { Observation } from './findings';

type Reported = Observation['reported'];

/** Returns what a chain that ends at `now` found out about the services of its project. Ids are UUIDs. */
export async function listObservations(
  db: TenantDb,
  { projectId, chainId }: { projectId: string; chainId: string },
  now: Date,
): Promise<Observation[]> {
  const services = await db.service.findMany({
    where: { projectId, removedAt: null },
    orderBy: { position: 'asc' },
    include: { health: { where: { chainId } } },
  });
  const sessions = await db.session.findMany({
    where: { chainId },
    orderBy: { number: 'asc' },
    select: { report: true, endedAt: true },
  });
  const watched = await listCheckedServices(
    db,
    services.map(({ id }) => id),
  );
  const reported = new Map<string, NonNullable<Reported>>();
  for (const { report, endedAt } of sessions) {
    const parsed = reportSchema.safeParse(report);
    for (const { name, status, detail } of parsed.data?.services_checked ?? []) {
      const before = reported.get(name);
      const isFirst = !before || before.status === 'healthy';
      const since = isFirst ? (endedAt ?? now) : before.since;
      reported.set(name, { status, since, error: detail });
    }
  }
  return services.map(({ id, name, failingSince, health: [measured] }) => ({
    ...{ serviceId: id, name, isWatched: watched.has(id) },
    measured: measured
      ? {
          status: serviceStatusSchema.parse(measured.status),
          since: failingSince ?? measured.at,
          error: measured.error,
        }
      : null,
    reported: reported.get(name) ?? null,
  }));
}

/** Returns the UUIDs of the services that a chain's checks found healthy at `since` or later. */
export async function listFoundHealthy(
  db: TenantDb,
  chainId: string,
  since: Date,
): Promise<string[]> {
  const rows = await db.serviceHealth.findMany({
    where: { chainId, status: 'healthy', at: { gte: since } },
    select: { serviceId: true },
  });
  return rows.map(({ serviceId }) => serviceId);
}
