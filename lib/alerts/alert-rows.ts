/** Alerts as other modules read them. Ids are UUIDs. */

import { recordOf } from '@/lib/platform/db/raw';
import type { TenantDb } from '@/lib/platform/db/tenant-db';
import type { FramedAlert } from './frame';
import { alertKindSchema, alertSeveritySchema, alertStatusSchema } from './schema';

/** Returns alerts as they are stored now, with the names of their services and sources; oldest first. */
export async function listAlertsByIds(db: TenantDb, alertIds: readonly string[]) {
  const rows = await db.alert.findMany({
    where: { id: { in: [...alertIds] } },
    orderBy: { id: 'asc' },
    omit: { labels: true, annotations: true },
    include: { service: { select: { name: true } }, source: { select: { name: true } } },
  });
  return rows.map(({ service, source, ...row }) => ({
    ...row,
    status: alertStatusSchema.parse(row.status),
    kind: alertKindSchema.parse(row.kind),
    severity: alertSeveritySchema.parse(row.severity),
    service: service?.name ?? null,
    source: source.name,
  }));
}
export type NamedAlert = Awaited<ReturnType<typeof listAlertsByIds>>[number];

const MAX_PROJECT_ALERTS = 1_000;

/** Returns alerts with all of their text, for the prompt of an agent. */
export async function listFramedAlerts(
  db: TenantDb,
  alertIds: readonly string[],
): Promise<FramedAlert[]> {
  if (alertIds.length === 0) return [];
  const rows = await db.alert.findMany({
    where: { id: { in: [...alertIds] } },
    orderBy: { id: 'asc' },
    include: { service: { select: { name: true } } },
  });
  return rows.map((row) => ({
    severity: alertSeveritySchema.parse(row.severity),
    status: alertStatusSchema.parse(row.status),
    kind: alertKindSchema.parse(row.kind),
    title: row.title,
    service: row.service?.name ?? null,
    serviceText: row.serviceText,
    startedAt: row.startedAt,
    endedAt: row.endedAt,
    repeats: row.repeats,
    link: row.link,
    labels: textsOf(row.labels),
    annotations: textsOf(row.annotations),
  }));
}

/**
 * Returns the alerts of a project that fire now, and these, with the services that they are about. Those
 * without data say nothing about a service. `projectId` is a UUID.
 */
export async function listProjectAlerts(
  db: TenantDb,
  projectId: string,
  alertIds: readonly string[],
) {
  const rows = await db.alert.findMany({
    where: {
      projectId,
      kind: 'problem',
      OR: [{ status: 'firing' }, { id: { in: [...alertIds] } }],
    },
    orderBy: { id: 'desc' },
    take: MAX_PROJECT_ALERTS,
    select: { id: true, status: true, service: { select: { name: true } } },
  });
  return rows.map(({ id, status, service }) => ({ id, status, service: service?.name ?? null }));
}

function textsOf(column: unknown): Record<string, string> {
  const entries = Object.entries(recordOf(column) ?? {});
  return Object.fromEntries(entries.map(([name, value]) => [name, String(value)]));
}
