import { z } from 'zod';
import { recordAudit } from '@/lib/identity/audit/record-audit';
import { mayDo, requireMay } from '@/lib/identity/tenancy/role-matrix';
import type { TenantScope } from '@/lib/platform/db/scope';
import { inTransaction, type TenantDb } from '@/lib/platform/db/tenant-db';
import { ConflictError, InvalidError } from '@/lib/platform/errors';
import { decodeCursor, pageOf } from '@/lib/platform/http/cursor';
import { decodeId, encodeId } from '@/lib/platform/ids';
import { newlyAllowedCommands } from './command-check';
import {
  insertProject,
  insertVersion,
  listProjectRows,
  loadAround,
  moveToVersion,
  writeServices,
} from './data';
import { changedFields } from './difference';
import {
  ensurePool,
  findProjectBySlug,
  getConfig,
  getProjectBySlug,
  getProjectRow,
} from './project-rows';
import { reachWarnings } from './rules/reach';
import { withCurrentDefaults } from './rules/retired';
import { nextRunAt } from './schedules/next-run';
import type { ProjectConfig } from './schema';
import { checkConfig } from './validate';
import { type ProjectDto, toProjectDto } from './view';

interface CreateProjectInput {
  name: string;
  slug: string;
  config: ProjectConfig;
  note?: string;
}

/**
 * @returns UUID and slug of the new project, and what to know about its rules
 * @throws InvalidError with the fields that are wrong
 */
export async function createProject(
  scope: TenantScope,
  input: CreateProjectInput,
  now = new Date(),
): Promise<{ projectId: string; slug: string; warnings: string[] }> {
  requireMay(scope, 'project.create');
  checkConfig(input.config, now);
  requireAllowedCommands(scope, input.config, null);
  return inTransaction(scope, async (db) => {
    if (await findProjectBySlug(db, input.slug)) {
      throw new InvalidError('This short name is used by another project.', {
        slug: 'This short name is used by another project. Pick a different one.',
      });
    }
    await ensurePool(db, input.config.runnerPool);
    const project = await insertProject(db, {
      slug: input.slug,
      name: input.name,
      nextRunAt: nextRunAt(input.config.schedule, now),
    });
    await insertVersion(db, {
      projectId: project.id,
      version: 1,
      config: input.config,
      author: scope.actor.label,
      note: input.note ?? 'Created',
    });
    const names = input.config.services.map((service) => service.name);
    await writeServices(db, project.id, names, now);
    await recordAudit(db, scope, {
      action: 'project.created',
      target: encodeId('prj', project.id),
      detail: { name: input.name, slug: input.slug },
    });
    const warnings = reachWarnings(null, input.config);
    return { projectId: project.id, slug: project.slug, warnings };
  });
}

/** @throws InvalidError if a check may run a command that only an owner can allow, and the actor is none */
function requireAllowedCommands(
  scope: TenantScope,
  { services }: ProjectConfig,
  before: ProjectConfig | null,
): void {
  const [command] = newlyAllowedCommands(services, before?.services ?? []);
  if (command === undefined || mayDo(scope.role, 'check.allow_command')) return;
  const message = `Only an owner of the organization can allow a check to run “${command}”. Use a command that is known as harmless, or ask an owner.`;
  const fields = services.flatMap(({ checks }, service) =>
    checks.flatMap(({ type, target }, check) =>
      type === 'command' && target === command
        ? [`services.${service}.checks.${check}.target`]
        : [],
    ),
  );
  throw new InvalidError(message, Object.fromEntries(fields.map((field) => [field, message])));
}

interface SaveProjectInput {
  projectId: string;
  /** The version that the changes were made on. */
  baseVersion: number;
  name: string;
  slug: string;
  config: ProjectConfig;
  note?: string;
}

export interface SavedVersion {
  version: number;
  /** See `reachWarnings`. */
  warnings: string[];
}

/**
 * Saves a configuration as the next version; running chains keep the one that they froze.
 *
 * @returns the version, and what to know about its rules
 * @throws ConflictError when someone saved in between; nothing is changed then
 */
export async function saveProject(
  scope: TenantScope,
  input: SaveProjectInput,
  now = new Date(),
): Promise<SavedVersion> {
  requireMay(scope, 'project.change');
  return inTransaction(scope, async (db) => {
    const project = await getProjectRow(db, input.projectId);
    const before = await getConfig(db, project.id, project.currentVersion);
    checkConfig(input.config, now, before);
    requireAllowedCommands(scope, input.config, before);
    const other = await findProjectBySlug(db, input.slug);
    if (other && other.id !== project.id) {
      throw new InvalidError('This short name is used by another project.', {
        slug: 'This short name is used by another project. Pick a different one.',
      });
    }
    const version = input.baseVersion + 1;
    const isMoved = await moveToVersion(db, project.id, input.baseVersion, {
      name: input.name,
      slug: input.slug,
      nextRunAt: nextRunAt(input.config.schedule, now),
    });
    if (!isMoved) {
      throw new ConflictError(
        `Someone saved v${project.currentVersion} while you edited. Your changes are still here. Compare before you save.`,
        { currentVersion: project.currentVersion },
      );
    }
    await ensurePool(db, input.config.runnerPool);
    await insertVersion(db, {
      projectId: project.id,
      version,
      config: input.config,
      author: scope.actor.label,
      note: input.note ?? '',
    });
    const names = input.config.services.map((service) => service.name);
    await writeServices(db, project.id, names, now);
    await recordAudit(db, scope, {
      action: 'project.saved',
      target: encodeId('prj', project.id),
      detail: { version, changes: changedFields(before, input.config) },
    });
    return { version, warnings: reachWarnings(before, input.config) };
  });
}

/**
 * Saves a project's tiers with today's default rules in place of those of earlier versions. Rules
 * of the project's own stay as they are.
 *
 * @param input.project id (`prj_…`) or slug
 * @param input.baseVersion the version that the person saw
 * @returns the version that is current afterwards, and what to know about its rules
 * @throws ConflictError when someone saved in between; nothing is changed then
 */
export async function adoptDefaultRules(
  scope: TenantScope,
  input: { project: string; baseVersion: number },
  now = new Date(),
): Promise<SavedVersion> {
  const { project, config } = await inTransaction(scope, async (db) => {
    const row = await requireProject(db, input.project);
    return { project: row, config: await getConfig(db, row.id, row.currentVersion) };
  });
  return saveProject(
    scope,
    {
      projectId: project.id,
      baseVersion: input.baseVersion,
      name: project.name,
      slug: project.slug,
      config: { ...config, tiers: withCurrentDefaults(config.tiers) },
      note: 'Switched to the current default rules',
    },
    now,
  );
}

/** Returns the project with an id (`prj_…`) or slug. Throws NotFoundError. */
export function requireProject(db: TenantDb, reference: string) {
  // A slug has no underscore, so the two cannot be mixed up.
  const uuid = decodeId('prj', reference);
  return uuid ? getProjectRow(db, uuid) : getProjectBySlug(db, reference);
}

/** Returns projects newest first. */
export function listProjects(
  scope: TenantScope,
  page: { limit: number; cursor?: string | undefined },
  now = new Date(),
): Promise<{ data: ProjectDto[]; nextCursor: string | null }> {
  const beforeId = decodeCursor(page.cursor, z.uuid());
  return inTransaction(scope, async (db) => {
    const found = await listProjectRows(db, { limit: page.limit, beforeId });
    const { rows, nextCursor } = pageOf(found, page.limit, (row) => row.id);
    const around = await loadAround(db, rows);
    return { data: rows.map((row) => toProjectDto(row, around, now)), nextCursor };
  });
}

/** `reference` is an id (`prj_…`) or a slug. */
export function getProject(
  scope: TenantScope,
  reference: string,
  now = new Date(),
): Promise<ProjectDto> {
  return inTransaction(scope, async (db) => {
    const row = await requireProject(db, reference);
    return toProjectDto(row, await loadAround(db, [row]), now);
  });
}
