import type { Prisma } from '@/generated/prisma/client';
import {
  ENDED_PAUSES_PER_SWEEP,
  type EndedPause,
  NOT_PAUSED,
  type PauseColumns,
} from '@/lib/identity/pauses';
import { systemDb } from '@/lib/platform/db/global-db';
import type { TenantDb } from '@/lib/platform/db/tenant-db';
import { type Place, pageArgs } from '@/lib/platform/http/cursor';
import type { ProjectConfig } from './schema';
import { splitThresholds } from './thresholds';

export async function insertProject(
  db: TenantDb,
  project: { slug: string; name: string; nextRunAt: Date | null },
) {
  return db.project.create({ data: { organizationId: db.organizationId, ...project } });
}

export async function insertVersion(
  db: TenantDb,
  version: {
    projectId: string;
    version: number;
    config: ProjectConfig;
    author: string;
    note: string;
  },
): Promise<void> {
  const { config, ...row } = version;
  const { stored, thresholds } = splitThresholds(config);
  await db.projectVersion.create({
    data: { organizationId: db.organizationId, ...row, config: stored },
  });
  const of = { organizationId: db.organizationId, projectId: row.projectId, version: row.version };
  await db.threshold.createMany({ data: thresholds.map((threshold) => ({ ...of, ...threshold })) });
}

/**
 * Makes the version the active one if `expectedVersion` still is. False: someone else was faster.
 */
export async function moveToVersion(
  db: TenantDb,
  projectId: string,
  expectedVersion: number,
  changes: { name: string; slug: string; nextRunAt: Date | null },
): Promise<boolean> {
  const moved = await db.project.updateMany({
    where: { id: projectId, currentVersion: expectedVersion },
    data: { ...changes, currentVersion: expectedVersion + 1 },
  });
  return moved.count === 1;
}

/** Brings the live service rows in line with a configuration; a removed service keeps its history. */
export async function writeServices(
  db: TenantDb,
  projectId: string,
  names: readonly string[],
  now: Date,
): Promise<void> {
  for (const [position, name] of names.entries()) {
    await db.service.upsert({
      where: {
        organizationId_projectId_name: { organizationId: db.organizationId, projectId, name },
      },
      create: { organizationId: db.organizationId, projectId, name, position },
      update: { position, removedAt: null },
    });
  }
  await db.service.updateMany({
    where: { projectId, name: { notIn: [...names] }, removedAt: null },
    data: { removedAt: now },
  });
}

/** Returns projects newest first. */
export function listProjectRows(db: TenantDb, place: Place) {
  const { id, ...page } = pageArgs(place);
  return db.project.findMany({ where: { id }, ...page });
}
export type ProjectRow = Awaited<ReturnType<typeof listProjectRows>>[number];

/** Loads everything else that a list of these projects shows, in a fixed number of queries. */
export async function loadAround(db: TenantDb, projects: readonly ProjectRow[]) {
  const projectId = { in: projects.map((project) => project.id) };
  const versions = await db.projectVersion.findMany({
    where: {
      OR: projects.map((project) => ({ projectId: project.id, version: project.currentVersion })),
    },
    include: { thresholds: true },
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

/** Returns false if nothing changed. */
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

const ENDED = {
  select: { id: true, name: true, organizationId: true },
  take: ENDED_PAUSES_PER_SWEEP,
} as const;

export function listEndedProjectPauses(now: Date): Promise<EndedPause[]> {
  return systemDb('pauses of projects that end').project.findMany({
    where: { pauseEndsAt: { lte: now } },
    ...ENDED,
  });
}

/** Returns false if someone has resumed or paused it in between. */
export async function endProjectPause(db: TenantDb, id: string, now: Date): Promise<boolean> {
  const { count } = await db.project.updateMany({
    where: { id, pauseEndsAt: { lte: now } },
    data: NOT_PAUSED,
  });
  return count === 1;
}

export async function listEndedTierPauses(now: Date): Promise<(EndedPause & { tier: number })[]> {
  const rows = await systemDb('pauses of tiers that end').tierPause.findMany({
    where: { pauseEndsAt: { lte: now } },
    select: { tier: true, project: { select: ENDED.select } },
    take: ENDED_PAUSES_PER_SWEEP,
  });
  return rows.map(({ tier, project }) => ({ ...project, tier }));
}

/** Returns false if someone has resumed or paused it in between. */
export async function endTierPause(
  db: TenantDb,
  { id: projectId, tier }: { id: string; tier: number },
  now: Date,
): Promise<boolean> {
  const { count } = await db.tierPause.deleteMany({
    where: { projectId, tier, pauseEndsAt: { lte: now } },
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

/** Returns false if it is already paused. */
export async function insertTierPause(
  db: TenantDb,
  pause: Omit<Prisma.TierPauseUncheckedCreateInput, 'organizationId'>,
): Promise<boolean> {
  const { count } = await db.tierPause.createMany({
    data: { organizationId: db.organizationId, ...pause },
    skipDuplicates: true,
  });
  return count === 1;
}

/** Returns false if it was not paused. */
export async function deleteTierPause(
  db: TenantDb,
  projectId: string,
  tier: number,
): Promise<boolean> {
  const { count } = await db.tierPause.deleteMany({ where: { projectId, tier } });
  return count === 1;
}

/** Returns versions newest first. */
export function listVersionRows(db: TenantDb, projectId: string, limit: number) {
  return db.projectVersion.findMany({
    where: { projectId },
    orderBy: { version: 'desc' },
    take: limit,
    include: { thresholds: true },
  });
}
