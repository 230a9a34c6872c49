import { sql } from 'kysely';
import { z } from 'zod';
import { deletePast, inTurns, listDue } from '@/lib/platform/db/due';
import {
  anyOf,
  changedBy,
  changedBySystem,
  given,
  instant,
  query,
  rowsOf,
  sqlChanges,
} from '@/lib/platform/db/sql';
import type { TenantDb } from '@/lib/platform/db/tenant-db';
import { type Place, pageArgs } from '@/lib/platform/http/cursor';
import type { Occurrence } from './occurrences';
import { signalKindSchema, signalSeveritySchema, signalStatusSchema } from './schema';

/** Returns alerts, newest first. */
export function listSignalRows(
  db: TenantDb,
  {
    serviceName,
    ...filter
  }: Record<'projectId' | 'sourceId' | 'status' | 'severity' | 'serviceName', string | undefined>,
  place: Place,
) {
  const { id, ...page } = pageArgs(place);
  const service = serviceName === undefined ? undefined : { name: serviceName };
  return db.signal.findMany({
    where: { ...filter, id, service },
    ...page,
    include: { service: { select: { name: true } } },
  });
}
export type SignalRow = Awaited<ReturnType<typeof listSignalRows>>[number];

/** The newest occurrences of each fingerprint that are read, in addition to the firing one and those requested. */
const OCCURRENCES = 5;

/**
 * Returns the occurrences of these fingerprints: the newest, the firing one, and those that began at these
 * times. Only the newest are looked up one by one: of a flood that PostgreSQL has no statistics about yet,
 * it would otherwise read all firing alerts for each fingerprint.
 */
export async function listOccurrences(
  db: TenantDb,
  sourceId: string,
  { fingerprints, startsAt }: { fingerprints: readonly string[]; startsAt: readonly string[] },
): Promise<Occurrence[]> {
  const ofSource = sql`organization_id = ${db.organizationId} and source_id = ${sourceId}`;
  const named = sql`${[...fingerprints]}::text[]`;
  const rows = await rowsOf(
    db,
    query
      .selectFrom('signal')
      .selectAll()
      .where('organizationId', '=', db.organizationId)
      .where(
        'id',
        'in',
        sql<string>`(
          select newest.id from unnest(${named}) as f(fingerprint) cross join lateral (
            select id from signal where ${ofSource} and fingerprint = f.fingerprint
            order by started_at desc limit ${OCCURRENCES}) newest
          union
          select id from signal where ${ofSource} and status = 'firing' and fingerprint = any(${named})
          union
          select id from signal where ${ofSource} and fingerprint = any(${named}) and starts_at = ${anyOf(startsAt)})`,
      ),
  );
  return rows.map(occurrenceOf);
}

/** Returns the firing alerts of a source that nothing was received about since a time. */
export async function listSilentSince(
  db: TenantDb,
  sourceId: string,
  since: Date | null,
): Promise<Occurrence[]> {
  const firing = query
    .selectFrom('signal')
    .selectAll()
    .where('organizationId', '=', db.organizationId)
    .where('sourceId', '=', sourceId)
    .where('status', '=', 'firing')
    .orderBy('id');
  const silent = since ? firing.where('lastSeenAt', '<=', since) : firing;
  return (await rowsOf(db, silent)).map(occurrenceOf);
}

const closedSchema = z.object({
  status: signalStatusSchema,
  kind: signalKindSchema,
  severity: signalSeveritySchema,
  labels: z.record(z.string(), z.string()),
  annotations: z.record(z.string(), z.string()),
});

function occurrenceOf<Row>(row: Row): Row & z.infer<typeof closedSchema> {
  return { ...row, ...closedSchema.parse(row) };
}

/** Updates rows, then inserts new ones: an occurrence that begins may be the end of another. */
export async function saveOccurrences(
  db: TenantDb,
  at: { organizationId: string; projectId: string; sourceId: string },
  { updated, inserted }: { updated: readonly Occurrence[]; inserted: readonly Occurrence[] },
): Promise<void> {
  // The index that allows one firing occurrence is checked row by row.
  const ended = updated.filter(({ status }) => status !== 'firing');
  for (const rows of [ended, updated.filter(({ status }) => status === 'firing')]) {
    if (rows.length === 0) continue;
    await sqlChanges(
      db,
    )`update signal a set status = t.status, severity = t.severity, title = t.title, link = t.link,
          annotations = t.annotations, last_seen_at = t.last_seen_at, repeats = t.repeats, ended_at = t.ended_at
        from ${given('signal', rows)} t
        where a.organization_id = ${at.organizationId} and a.id = t.id`;
  }
  if (inserted.length > 0) {
    const { organizationId, projectId, sourceId } = at;
    const rows = inserted.map((row) => ({ ...row, organizationId, projectId, sourceId }));
    await changedBy(
      db,
      query
        .insertInto('signal')
        .expression((eb) => eb.selectFrom(given('signal', rows).as('t')).selectAll()),
    );
  }
}

/**
 * Renews PostgreSQL's statistics about alerts: until autovacuum does, it expects one alert of an
 * organization that had none, and compares each of a flood with each. After the commit, since it locks
 * the table against others that do the same.
 */
export async function analyzeSignals(): Promise<void> {
  await changedBySystem('statistics after a flood of alerts', sql`select app.analyze_signals()`);
}

const SOURCES_AT_ONCE = 200;

/** Returns sources with alerts that they have stopped reporting, organizations in turns. */
export const listSourcesWithStale = inTurns(SOURCES_AT_ONCE, (without, now: Date) =>
  listDue(
    'alerts that their sources stopped reporting',
    query
      .selectFrom('signalSource as s')
      .select(['s.id', 's.organizationId', sql<null>`null::timestamptz`.as('dueAt')])
      .where(({ exists, selectFrom }) =>
        exists(
          selectFrom('signal as a')
            .whereRef('a.sourceId', '=', 's.id')
            .where('a.status', '=', 'firing')
            .where(
              'a.lastSeenAt',
              '<=',
              sql<Date>`${instant(now)} - make_interval(secs => s.stale_seconds)`,
            ),
        ),
      ),
    { limit: SOURCES_AT_ONCE, without },
  ),
);

/** Deletes up to `limit` alerts, of any organization, that ended before a time. */
export function deleteOldSignals(before: Date, limit: number): Promise<number> {
  return deletePast('retention of alerts', 'signal', (row) => row('endedAt', '<', before), limit);
}
