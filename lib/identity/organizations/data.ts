import { sql } from 'kysely';
import { Prisma } from '@/generated/prisma/client';
import { systemDb } from '@/lib/platform/db/global-db';
import { lookedUp, query, sqlChanges } from '@/lib/platform/db/sql';
import type { TenantDb } from '@/lib/platform/db/tenant-db';
import { NotFoundError } from '@/lib/platform/errors';
import { ENDED_PAUSES_PER_SWEEP, type EndedPause, NOT_PAUSED, type PauseColumns } from '../pauses';

export async function insertOrganization(
  db: TenantDb,
  row: Prisma.OrganizationUncheckedCreateInput,
): Promise<void> {
  await db.organization.create({ data: row });
}

export async function insertOwner(db: TenantDb, userId: string): Promise<void> {
  await db.membership.create({
    data: { organizationId: db.organizationId, userId, role: 'owner' },
  });
}

export async function getOrganizationRow(db: TenantDb) {
  const row = await db.organization.findUnique({ where: { id: db.organizationId } });
  if (!row) throw new NotFoundError();
  return row;
}

/** Across all organizations; a definer function answers yes or no and nothing else. */
export async function isSlugTaken(slug: string): Promise<boolean> {
  const isTaken = sql<boolean>`app.organization_slug_taken(${slug})`.as('isTaken');
  const [row] = await lookedUp(query.selectNoFrom(isTaken));
  return row?.isTaken ?? false;
}

/** Whether a write failed because another organization took the slug in the same moment. */
export function isSlugConflict(error: unknown): boolean {
  return (
    error instanceof Prisma.PrismaClientKnownRequestError &&
    error.code === 'P2002' &&
    JSON.stringify(error.meta ?? {}).includes('slug')
  );
}

/**
 * Returns an organization for the local command line, which has no token yet; null for an unknown
 * slug.
 */
export function findOrganizationBySlug(slug: string) {
  return systemDb('the first token of an organization').organization.findUnique({
    where: { slug },
    select: { id: true, slug: true },
  });
}

export async function updateOrganization(
  db: TenantDb,
  change: { name: string; slug: string; deniedCliVersions: string[]; logRetentionDays: number },
): Promise<void> {
  await db.organization.update({ where: { id: db.organizationId }, data: change });
}

/** Pauses or resumes the organization. Returns false if nothing changed. */
export async function setOrganizationPause(db: TenantDb, columns: PauseColumns): Promise<boolean> {
  const { count } = await db.organization.updateMany({
    where: { id: db.organizationId, pausedAt: columns.pausedAt ? null : { not: null } },
    data: columns,
  });
  return count === 1;
}

export async function listMemberIds(db: TenantDb): Promise<string[]> {
  const rows = await db.membership.findMany({ select: { userId: true } });
  return rows.map((row) => row.userId);
}

/** Returns false if nothing changed. */
export async function setSecondFactorRequirement(
  db: TenantDb,
  requiresSecondFactor: boolean,
): Promise<boolean> {
  const { count } = await db.organization.updateMany({
    where: { id: db.organizationId, requiresSecondFactor: !requiresSecondFactor },
    data: { requiresSecondFactor },
  });
  return count === 1;
}

/** False when somebody did it before. */
export async function setChecklistDismissed(db: TenantDb, now: Date): Promise<boolean> {
  const { count } = await db.organization.updateMany({
    where: { id: db.organizationId, checklistDismissedAt: null },
    data: { checklistDismissedAt: now },
  });
  return count === 1;
}

export async function listEndedOrganizationPauses(now: Date): Promise<EndedPause[]> {
  const rows = await systemDb('pauses of organizations that end').organization.findMany({
    where: { pauseEndsAt: { lte: now } },
    select: { id: true, name: true },
    take: ENDED_PAUSES_PER_SWEEP,
  });
  return rows.map((row) => ({ ...row, organizationId: row.id }));
}

/** Ends a due pause. Returns false if someone has resumed or paused it in between. */
export async function endOrganizationPause(db: TenantDb, id: string, now: Date): Promise<boolean> {
  const { count } = await db.organization.updateMany({
    where: { id, pauseEndsAt: { lte: now } },
    data: NOT_PAUSED,
  });
  return count === 1;
}

/** Returns a running chain to name in the error; null when none runs. */
export function findAnyLiveChain(db: TenantDb) {
  return db.chain.findFirst({
    where: { status: { not: 'ended' } },
    orderBy: { createdAt: 'asc' },
    select: { id: true, number: true, project: { select: { name: true } } },
  });
}

/**
 * Deletes the organization. Foreign keys delete all its rows except the audit log, which can't be
 * deleted.
 */
export async function deleteOrganizationRow(db: TenantDb): Promise<void> {
  // A runner and a pool go with their attempts, whose foreign keys are checked when all are gone.
  await sqlChanges(db)`set constraints all deferred`;
  await db.organization.delete({ where: { id: db.organizationId } });
}

export async function countDeleted(db: TenantDb) {
  return {
    projects: await db.project.count(),
    chains: await db.chain.count(),
    members: await db.membership.count(),
    runners: await db.runner.count({ where: { revokedAt: null } }),
    tokens: await db.apiToken.count({ where: { revokedAt: null } }),
  };
}
