/** Alerts as other modules read them. Ids are UUIDs. */

import { recordOf } from '@/lib/platform/db/raw';
import type { OrganizationId } from '@/lib/platform/db/scope';
import { anyOf, query, refers, rowsOf } from '@/lib/platform/db/sql';
import type { TenantDb } from '@/lib/platform/db/tenant-db';
import type { FramedSignal } from './frame';
import { signalKindSchema, signalSeveritySchema, signalStatusSchema } from './schema';

/** Returns alerts as they are stored now, with the names of their services and sources; oldest first. */
export async function listSignalsByIds(db: TenantDb, signalIds: readonly string[]) {
  const rows = await db.signal.findMany({
    where: { id: { in: [...signalIds] } },
    orderBy: { id: 'asc' },
    omit: { labels: true, annotations: true },
    include: { service: { select: { name: true } }, source: { select: { name: true } } },
  });
  return rows.map(({ service, source, ...row }) => ({
    ...row,
    status: signalStatusSchema.parse(row.status),
    kind: signalKindSchema.parse(row.kind),
    severity: signalSeveritySchema.parse(row.severity),
    service: service?.name ?? null,
    source: source.name,
  }));
}
export type NamedSignal = Awaited<ReturnType<typeof listSignalsByIds>>[number];

const MAX_PROJECT_SIGNALS = 1_000;

/** Returns alerts with all of their text, for the prompt of an agent. */
export async function listFramedSignals(
  db: TenantDb,
  signalIds: readonly string[],
): Promise<FramedSignal[]> {
  if (signalIds.length === 0) return [];
  const rows = await db.signal.findMany({
    where: { id: { in: [...signalIds] } },
    orderBy: { id: 'asc' },
    include: { service: { select: { name: true } } },
  });
  return rows.map((row) => ({
    ...row,
    severity: signalSeveritySchema.parse(row.severity),
    status: signalStatusSchema.parse(row.status),
    kind: signalKindSchema.parse(row.kind),
    service: row.service?.name ?? null,
    labels: textsOf(row.labels),
    annotations: textsOf(row.annotations),
  }));
}

/**
 * Returns the alerts of a project that fire now, and these, with the services that they are about. Those
 * without data say nothing about a service. `projectId` is a UUID.
 */
export function listProjectSignals(
  db: TenantDb,
  organizationId: OrganizationId,
  projectId: string,
  signalIds: readonly string[],
): Promise<{ id: string; status: string; service: string | null }[]> {
  return rowsOf(
    db,
    query
      .selectFrom('signal as a')
      .leftJoin('service as v', refers('a.serviceId', 'v.id'))
      .select(['a.id', 'a.status', 'v.name as service'])
      .where('a.organizationId', '=', organizationId)
      .where('a.projectId', '=', projectId)
      .where('a.kind', '=', 'problem')
      .where(({ or, eb }) => or([eb('a.status', '=', 'firing'), eb('a.id', '=', anyOf(signalIds))]))
      .orderBy('a.id', 'desc')
      .limit(MAX_PROJECT_SIGNALS),
  );
}

function textsOf(column: unknown): Record<string, string> {
  const entries = Object.entries(recordOf(column) ?? {});
  return Object.fromEntries(entries.map(([name, value]) => [name, String(value)]));
}
