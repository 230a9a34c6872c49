import type { OrganizationId } from '@/lib/platform/db/scope';
import type { TenantDb } from '@/lib/platform/db/tenant-db';
import type { ProjectConfig } from './schema';
import type { ThresholdRow } from './thresholds';

export async function insertProject(
  db: TenantDb,
  organizationId: OrganizationId,
  project: { slug: string; name: string; nextRunAt: Date | null },
) {
  return db.project.create({ data: { organizationId, ...project } });
}

export async function insertVersion(
  db: TenantDb,
  organizationId: OrganizationId,
  version: {
    projectId: string;
    version: number;
    config: ProjectConfig;
    author: string;
    note: string;
  },
): Promise<void> {
  await db.projectVersion.create({ data: { organizationId, ...version } });
}

/** Makes the version the one in force, if `expectedVersion` still is. False: someone was faster. */
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
  organizationId: OrganizationId,
  projectId: string,
  names: readonly string[],
  now: Date,
): Promise<void> {
  for (const [position, name] of names.entries()) {
    await db.service.upsert({
      where: { organizationId_projectId_name: { organizationId, projectId, name } },
      create: { organizationId, projectId, name, position },
      update: { position, removedAt: null },
    });
  }
  await db.service.updateMany({
    where: { projectId, name: { notIn: [...names] }, removedAt: null },
    data: { removedAt: now },
  });
}

export async function writeThresholds(
  db: TenantDb,
  organizationId: OrganizationId,
  projectId: string,
  rows: readonly ThresholdRow[],
): Promise<void> {
  await db.threshold.deleteMany({ where: { projectId } });
  await db.threshold.createMany({
    data: rows.map((row) => ({ organizationId, projectId, ...row })),
  });
}
