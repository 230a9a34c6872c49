import type { PauseColumns } from '@/lib/identity/pauses/schema';
import type { TenantDb } from '@/lib/platform/db/tenant-db';

/** By id, newest first. */
export function listProjectRows(db: TenantDb, page: { limit: number; beforeId: string | null }) {
  return db.project.findMany({
    where: page.beforeId ? { id: { lt: page.beforeId } } : {},
    orderBy: { id: 'desc' },
    take: page.limit + 1,
  });
}
export type ProjectRow = Awaited<ReturnType<typeof listProjectRows>>[number];

/** Everything around these projects that a list shows, in a fixed number of queries. */
export async function loadAround(db: TenantDb, projects: readonly ProjectRow[]) {
  const projectId = { in: projects.map((project) => project.id) };
  const versions = await db.projectVersion.findMany({
    where: {
      OR: projects.map((project) => ({ projectId: project.id, version: project.currentVersion })),
    },
  });
  const services = await db.service.findMany({
    where: { projectId, removedAt: null },
    orderBy: { position: 'asc' },
  });
  const liveChains = await db.chain.findMany({
    where: { projectId, status: { in: ['queued', 'waiting', 'running', 'stopping'] } },
    select: { id: true, number: true, status: true, projectId: true },
  });
  const tierPauses = await db.tierPause.findMany({
    where: { projectId },
    orderBy: { tier: 'asc' },
  });
  return { versions, services, liveChains, tierPauses };
}
export type AroundProjects = Awaited<ReturnType<typeof loadAround>>;

/** False when it was so already. */
export async function setProjectPause(
  db: TenantDb,
  projectId: string,
  columns: PauseColumns,
): Promise<boolean> {
  const { count } = await db.project.updateMany({
    where: { id: projectId, pausedAt: columns.pausedAt ? null : { not: null } },
    data: columns,
  });
  return count === 1;
}

export function findService(db: TenantDb, projectId: string, name: string) {
  return db.service.findFirst({ where: { projectId, name, removedAt: null } });
}

export async function setSnooze(
  db: TenantDb,
  serviceId: string,
  snooze: { at: Date; until: Date; by: string; reason: string } | null,
): Promise<void> {
  await db.service.updateMany({
    where: { id: serviceId },
    data: {
      snoozedAt: snooze?.at ?? null,
      snoozedUntil: snooze?.until ?? null,
      snoozedBy: snooze?.by ?? null,
      snoozeReason: snooze?.reason ?? null,
    },
  });
}
