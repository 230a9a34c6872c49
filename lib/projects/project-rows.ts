import type { OrganizationId } from '@/lib/platform/db/scope';
import { currentTenant } from '@/lib/platform/db/tenant-context';
import type { TenantDb } from '@/lib/platform/db/tenant-db';
import { NotFoundError } from '@/lib/platform/errors';
import { type ProjectConfig, projectConfigSchema } from './schema';

export async function findProjectBySlug(db: TenantDb, slug: string) {
  return db.project.findFirst({ where: { slug } });
}

export async function getProjectRow(db: TenantDb, projectId: string) {
  const project = await db.project.findFirst({ where: { id: projectId } });
  if (!project) throw new NotFoundError();
  return project;
}

export async function getProjectBySlug(db: TenantDb, slug: string) {
  const project = await findProjectBySlug(db, slug);
  if (!project) throw new NotFoundError();
  return project;
}

// A version never changes, and every step of a chain asks for it.
const configs = createConfigCache();

/** The configuration that a chain froze, or the one in force. */
export async function getConfig(
  db: TenantDb,
  projectId: string,
  version: number,
): Promise<ProjectConfig> {
  const known = configs.get(projectId, version);
  if (known) return known;
  const row = await db.projectVersion.findFirst({ where: { projectId, version } });
  if (!row) throw new NotFoundError();
  return configs.keep(projectId, version, projectConfigSchema.parse(row.config));
}

export async function stopSchedule(db: TenantDb, projectId: string): Promise<void> {
  await db.project.updateMany({ where: { id: projectId }, data: { nextRunAt: null } });
}

/**
 * With everything that hangs on it, its own webhook endpoints among them. What it spent each day
 * stays, and the name it is shown under.
 */
export async function deleteProjectRow(
  db: TenantDb,
  organizationId: OrganizationId,
  project: { id: string; name: string; slug: string },
  deletedBy: string,
): Promise<void> {
  const { id: projectId, name, slug } = project;
  await db.webhookEndpoint.deleteMany({ where: { projectId } });
  await db.project.deleteMany({ where: { id: projectId } });
  await db.deletedProject.create({ data: { organizationId, projectId, name, slug, deletedBy } });
}

/** Of one project, the lowest tier first. */
export function listTierPauses(db: TenantDb, projectId: string) {
  return db.tierPause.findMany({ where: { projectId }, orderBy: { tier: 'asc' } });
}

const MAX_CONFIGS = 300;

interface ConfigCache {
  get(projectId: string, version: number): ProjectConfig | undefined;
  /** @returns the configuration, frozen: it is shared from now on */
  keep(projectId: string, version: number, config: ProjectConfig): ProjectConfig;
}

/** Parsed configurations by tenant, project and version; the ones unused for longest are let go. */
export function createConfigCache(): ConfigCache {
  const known = new Map<string, ProjectConfig>();
  // With the tenant in it, what one organization may read is never another's answer.
  const keyOf = (projectId: string, version: number) =>
    `${currentTenant() ?? ''}/${projectId}/${version}`;

  function put(key: string, config: ProjectConfig): void {
    known.delete(key);
    known.set(key, config);
    const [oldest] = known.keys();
    if (known.size > MAX_CONFIGS && oldest !== undefined) known.delete(oldest);
  }

  return {
    get(projectId, version) {
      const key = keyOf(projectId, version);
      const config = known.get(key);
      if (config) put(key, config);
      return config;
    },
    keep(projectId, version, config) {
      put(keyOf(projectId, version), deepFreeze(config));
      return config;
    },
  };
}

function deepFreeze<Value>(value: Value): Value {
  if (typeof value === 'object' && value !== null && !Object.isFrozen(value)) {
    Object.freeze(value);
    for (const part of Object.values(value)) deepFreeze(part);
  }
  return value;
}
