import { z } from 'zod';
import type { OrganizationId } from '@/lib/platform/db/scope';
import { query, refers, rowsOf } from '@/lib/platform/db/sql';
import type { TenantDb } from '@/lib/platform/db/tenant-db';
import { type CheckSpec, checkSchema, serviceStatusSchema } from '@/lib/protocol/spec';
import { BLOCK_REASONS, type Block } from './block';
import type { ResultStatus } from './check-state';
import { pingRule } from './ping-state';
import { isPingCheck } from './planned-checks';

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

/**
 * Returns since when and why no runner can run the checks of a project, the pool that has to, and the runner
 * that did; null if one can. `projectId` is a UUID.
 */
export async function findBlock(db: TenantDb, projectId: string) {
  const row = await db.checker.findFirst({
    where: { projectId, blockedSince: { not: null } },
    include: { runner: { select: { id: true, name: true } } },
  });
  const block = row && blockOf(row);
  return block && { ...block, pool: row.pool, runner: row.runner };
}

/**
 * Returns the checks of a project that need a runner, in the order of its services.
 *
 * @param service the name of the only service to look at; null for all
 */
export function listBlockedChecks(db: TenantDb, projectId: string, service: string | null) {
  return db.serviceCheck.findMany({
    where: {
      ...{ projectId, removedAt: null, NOT: { spec: { path: ['type'], equals: 'heartbeat' } } },
      ...(service === null ? {} : { service: { name: service } }),
    },
    orderBy: [{ service: { position: 'asc' } }, { position: 'asc' }],
    select: { spec: true, service: { select: { name: true } } },
  });
}

/**
 * Returns the checks of these services that haven’t passed since that time. A heartbeat that waits for its
 * first ping isn’t one of them.
 */
export async function listUnproven(
  db: TenantDb,
  serviceIds: readonly string[],
  since: Date,
): Promise<UnprovenCheck[]> {
  const rows = await db.serviceCheck.findMany({
    include: { service: { select: { name: true } } },
    orderBy: [{ serviceId: 'asc' }, { position: 'asc' }],
    where: {
      serviceId: { in: [...serviceIds] },
      removedAt: null,
      OR: [{ status: { not: 'healthy' } }, { lastAt: null }, { lastAt: { lt: since } }],
      NOT: { lastAt: null, spec: { path: ['type'], equals: 'heartbeat' } },
    },
  });
  return rows.map(({ serviceId, service, spec, status, failingSince, lastError }) => ({
    ...{ serviceId, service: service.name, type: checkSchema.parse(spec).type },
    ...{ status: serviceStatusSchema.parse(status), failingSince, error: lastError },
  }));
}

export interface UnprovenCheck {
  /** UUID. */
  serviceId: string;
  service: string;
  type: CheckSpec['type'];
  status: ResultStatus;
  /** Null unless it fails. */
  failingSince: Date | null;
  error: string;
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

const LONGEST_WAIT_SECONDS = 86_400;

/**
 * Returns for how long a check of these services may say nothing new, in seconds, at most a day: the longest
 * interval, and of heartbeats the period with the grace period. Null without checks.
 */
export async function longestInterval(
  db: TenantDb,
  serviceIds: readonly string[],
): Promise<number | null> {
  const checks = await db.serviceCheck.findMany({
    where: { serviceId: { in: [...serviceIds] }, removedAt: null },
    select: { spec: true, everySeconds: true },
  });
  if (checks.length === 0) return null;
  const waits = checks.map(({ spec, everySeconds }) => {
    if (!isPingCheck({ spec })) return everySeconds;
    const { periodSeconds, graceSeconds } = pingRule(checkSchema.parse(spec));
    return periodSeconds + graceSeconds;
  });
  return Math.min(LONGEST_WAIT_SECONDS, Math.max(...waits));
}

/**
 * Returns the services with a check without an agent that failed at a time, or began to fail until another.
 * `projectId` is a UUID.
 */
export async function listFailedServices(
  db: TenantDb,
  organizationId: OrganizationId,
  projectId: string,
  { from, until }: { from: Date; until: Date },
): Promise<string[]> {
  const rows = await rowsOf(
    db,
    query
      .selectFrom('serviceCheck as c')
      .innerJoin('service as v', refers('c.serviceId', 'v.id'))
      .innerJoin('checkChange as h', refers('c.id', 'h.checkId'))
      .select('v.name')
      .distinct()
      .where('c.organizationId', '=', organizationId)
      .where('c.projectId', '=', projectId)
      .where('h.status', 'in', ['degraded', 'down'])
      .where('h.at', '<=', until)
      .where(({ not, exists, selectFrom }) =>
        not(
          exists(
            selectFrom('checkChange as n')
              .whereRef('n.organizationId', '=', 'h.organizationId')
              .whereRef('n.checkId', '=', 'h.checkId')
              .whereRef('n.at', '>', 'h.at')
              .where('n.at', '<=', from),
          ),
        ),
      ),
  );
  return rows.map(({ name }) => name);
}
