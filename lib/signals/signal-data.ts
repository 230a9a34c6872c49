import { Prisma } from '@/generated/prisma/client';
import { systemDb } from '@/lib/platform/db/global-db';
import { executeRaw, queryRaw } from '@/lib/platform/db/raw';
import type { TenantDb } from '@/lib/platform/db/tenant-db';
import type { Occurrence } from './occurrences';
import { signalKindSchema, signalSeveritySchema, signalStatusSchema } from './schema';

/** Returns alerts, newest first. */
export function listSignalRows(
  db: TenantDb,
  filter: {
    projectId?: string | undefined;
    sourceId?: string | undefined;
    status?: string | undefined;
    severity?: string | undefined;
    serviceName?: string | undefined;
  },
  page: { limit: number; beforeId: string | null },
) {
  const { serviceName, ...columns } = filter;
  return db.signal.findMany({
    where: {
      ...Object.fromEntries(Object.entries(columns).filter(([, value]) => value !== undefined)),
      ...(serviceName === undefined ? {} : { service: { name: serviceName } }),
      ...(page.beforeId ? { id: { lt: page.beforeId } } : {}),
    },
    orderBy: { id: 'desc' },
    take: page.limit + 1,
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
  organizationId: string,
  sourceId: string,
  { fingerprints, startsAt }: { fingerprints: readonly string[]; startsAt: readonly string[] },
): Promise<Occurrence[]> {
  const ofSource = Prisma.sql`organization_id = ${organizationId}::uuid and source_id = ${sourceId}::uuid`;
  const named = Prisma.sql`${[...fingerprints]}::text[]`;
  const rows = await queryRaw<Record<string, unknown>>(
    db,
    Prisma.sql`with wanted as (
        select newest.id from unnest(${named}) as f(fingerprint) cross join lateral (
          select id from signal where ${ofSource} and fingerprint = f.fingerprint
          order by started_at desc limit ${OCCURRENCES}) newest
        union
        select id from signal where ${ofSource} and status = 'firing' and fingerprint = any(${named})
        union
        select id from signal where ${ofSource} and fingerprint = any(${named})
          and starts_at = any(${[...startsAt]}::text[])
      )
      select ${OCCURRENCE} from signal a
      where a.organization_id = ${organizationId}::uuid and a.id in (select id from wanted)`,
  );
  return rows.map(occurrenceOf);
}

/** Returns the firing alerts of a source that nothing was received about since a time. */
export async function listSilentSince(
  db: TenantDb,
  organizationId: string,
  sourceId: string,
  since: Date | null,
): Promise<Occurrence[]> {
  const rows = await queryRaw<Record<string, unknown>>(
    db,
    Prisma.sql`select ${OCCURRENCE} from signal a where organization_id = ${organizationId}::uuid
      and source_id = ${sourceId}::uuid and status = 'firing'
      and (${since}::timestamptz is null or last_seen_at <= ${since}::timestamptz) order by id`,
  );
  return rows.map(occurrenceOf);
}

const OCCURRENCE = Prisma.sql`a.id, a.fingerprint, a.starts_at as "startsAt", a.started_at as "startedAt", a.status,
  a.kind, a.severity, a.title, a.service_text as "serviceText", a.service_id as "serviceId", a.rule, a.link, a.labels,
  a.annotations, a.first_seen_at as "firstSeenAt", a.last_seen_at as "lastSeenAt", a.repeats, a.ended_at as "endedAt"`;

function occurrenceOf(row: Record<string, unknown>): Occurrence {
  return {
    ...(row as unknown as Occurrence),
    status: signalStatusSchema.parse(row.status),
    kind: signalKindSchema.parse(row.kind),
    severity: signalSeveritySchema.parse(row.severity),
  };
}

/** Updates rows, then inserts new ones: an occurrence that begins may be the end of another. */
export async function saveOccurrences(
  db: TenantDb,
  at: { organizationId: string; projectId: string; sourceId: string },
  { updated, inserted }: { updated: readonly Occurrence[]; inserted: readonly Occurrence[] },
): Promise<void> {
  const columns = Prisma.sql`t(id uuid, fingerprint text, "startsAt" text, "startedAt" timestamptz, status text,
    kind text, severity text, title text, "serviceText" text, "serviceId" uuid, rule text, link text, labels jsonb,
    annotations jsonb, "firstSeenAt" timestamptz, "lastSeenAt" timestamptz, repeats int, "endedAt" timestamptz)`;
  // The index that allows one firing occurrence is checked row by row.
  const ended = updated.filter(({ status }) => status !== 'firing');
  for (const rows of [ended, updated.filter(({ status }) => status === 'firing')]) {
    if (rows.length === 0) continue;
    await executeRaw(
      db,
      Prisma.sql`update signal a set status = t.status, severity = t.severity, title = t.title, link = t.link,
          annotations = t.annotations, last_seen_at = t."lastSeenAt", repeats = t.repeats, ended_at = t."endedAt"
        from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as ${columns}
        where a.organization_id = ${at.organizationId}::uuid and a.id = t.id`,
    );
  }
  if (inserted.length > 0) {
    await executeRaw(
      db,
      Prisma.sql`insert into signal (id, organization_id, project_id, source_id, fingerprint, starts_at, started_at, status,
          kind, severity, title, service_text, service_id, rule, link, labels, annotations, first_seen_at, last_seen_at,
          repeats, ended_at)
        select t.id, ${at.organizationId}::uuid, ${at.projectId}::uuid, ${at.sourceId}::uuid, t.fingerprint, t."startsAt",
          t."startedAt", t.status, t.kind, t.severity, t.title, t."serviceText", t."serviceId", t.rule, t.link, t.labels,
          t.annotations, t."firstSeenAt", t."lastSeenAt", t.repeats, t."endedAt"
        from jsonb_to_recordset(${JSON.stringify(inserted)}::jsonb) as ${columns}`,
    );
  }
}

/**
 * Renews PostgreSQL's statistics about alerts: until autovacuum does, it expects one alert of an
 * organization that had none, and compares each of a flood with each. After the commit, since it locks
 * the table against others that do the same.
 */
export async function analyzeSignals(): Promise<void> {
  await systemDb('statistics after a flood of alerts').$executeRaw`select app.analyze_signals()`;
}

/** Sources, of any organization, with alerts that the source has stopped reporting. */
export async function listSourcesWithStale(
  now: Date,
  limit: number,
): Promise<{ id: string; organizationId: string }[]> {
  const db = systemDb('alerts that their sources stopped reporting');
  return db.$queryRaw(Prisma.sql`select s.id, s.organization_id as "organizationId" from signal_source s
    where exists (select from signal a where a.source_id = s.id and a.status = 'firing'
      and a.last_seen_at <= ${now}::timestamptz - make_interval(secs => s.stale_seconds)) limit ${limit}`);
}

/** Deletes up to `limit` alerts, of any organization, that ended before a time. */
export async function deleteOldSignals(before: Date, limit: number): Promise<number> {
  const db = systemDb('retention of alerts');
  return db.$executeRaw(Prisma.sql`delete from signal where id in (
    select id from signal where ended_at < ${before} limit ${limit})`);
}
