import { z } from 'zod';
import type { TenantDb } from '@/lib/platform/db/tenant-db';
import { BLOCK_REASONS, type Block } from './block';

/** Returns the projects whose checks a runner runs, each with its epoch, in a stable order. */
export function listAssignments(db: TenantDb, runnerId: string) {
  return db.checker.findMany({
    where: { runnerId, isOn: true },
    orderBy: { projectId: 'asc' },
    select: { projectId: true, epoch: true },
  });
}

/** Returns whether a project's checks run without an agent. */
export async function runsChecks(db: TenantDb, projectId: string): Promise<boolean> {
  const checker = await db.checker.findFirst({ where: { projectId }, select: { isOn: true } });
  return checker?.isOn ?? false;
}

const blockReasonSchema = z.enum(BLOCK_REASONS);

/** Returns since when and why no runner has been able to run the checks; null if one is. */
export function blockOf(checker: {
  blockedSince: Date | null;
  blockedReason: string | null;
  blockReportedAt: Date | null;
}): Block | null {
  const { blockedSince: since, blockedReason, blockReportedAt: reportedAt } = checker;
  if (since === null) return null;
  return { since, reason: blockReasonSchema.parse(blockedReason), reportedAt };
}

/** Returns the projects of an organization whose checks no runner can run, by their UUIDs. */
export async function listBlocked(db: TenantDb): Promise<Map<string, Block>> {
  const rows = await db.checker.findMany({ where: { blockedSince: { not: null } } });
  return new Map(
    rows.flatMap((row) => {
      const block = blockOf(row);
      return block ? [[row.projectId, block] as const] : [];
    }),
  );
}

/** Returns how many checks of these services haven’t passed since that time. */
export function countUnproven(
  db: TenantDb,
  serviceIds: readonly string[],
  since: Date,
): Promise<number> {
  return db.serviceCheck.count({
    where: {
      serviceId: { in: [...serviceIds] },
      removedAt: null,
      OR: [{ status: { not: 'healthy' } }, { lastAt: null }, { lastAt: { lt: since } }],
    },
  });
}

/** Returns those of these services that have checks which run without an agent. Ids are UUIDs. */
export async function listCheckedServices(
  db: TenantDb,
  serviceIds: readonly string[],
): Promise<ReadonlySet<string>> {
  const rows = await db.serviceCheck.findMany({
    where: { serviceId: { in: [...serviceIds] }, removedAt: null },
    distinct: ['serviceId'],
    select: { serviceId: true },
  });
  return new Set(rows.map(({ serviceId }) => serviceId));
}

/** Returns the longest interval of the checks of these services, in seconds; null without checks. */
export async function longestInterval(
  db: TenantDb,
  serviceIds: readonly string[],
): Promise<number | null> {
  const { _max } = await db.serviceCheck.aggregate({
    where: { serviceId: { in: [...serviceIds] }, removedAt: null },
    _max: { everySeconds: true },
  });
  return _max.everySeconds;
}
