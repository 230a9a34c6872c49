import { Prisma } from '@/generated/prisma/client';
import { lookUp, systemDb } from '@/lib/platform/db/global-db';
import { executeRaw, queryRaw, toJson } from '@/lib/platform/db/raw';
import type { OrganizationId } from '@/lib/platform/db/scope';
import type { TenantDb } from '@/lib/platform/db/tenant-db';
import { NotFoundError } from '@/lib/platform/errors';
import type { Occurrence } from './occurrences';
import {
  alertKindSchema,
  alertSeveritySchema,
  alertStatusSchema,
  type DeliveryResult,
  type Mapping,
  mappingSchema,
  type ParseFailure,
  type Rejection,
  type SourceKind,
  sourceKindSchema,
} from './schema';

/** What a request needs of its source before it is known whose source that is. */
export interface FoundSource {
  id: string;
  organizationId: string;
  projectId: string;
  kind: SourceKind;
  tokenHash: string;
  previousTokenHash: string | null;
  previousTokenUntil: Date | null;
  signingSecretsSealed: string[];
  signatureHeader: string | null;
  timestampHeader: string | null;
  disabledAt: Date | null;
}

/** Returns a source of any organization; null for an unknown id. */
export async function findSource(id: string): Promise<FoundSource | null> {
  const [row] = await lookUp<Record<string, unknown>>(
    Prisma.sql`select organization_id as "organizationId", id, project_id as "projectId", kind,
      token_hash as "tokenHash", previous_token_hash as "previousTokenHash",
      previous_token_until as "previousTokenUntil", signing_secrets_sealed as "signingSecretsSealed",
      signature_header as "signatureHeader", timestamp_header as "timestampHeader",
      disabled_at as "disabledAt"
    from app.find_alert_source(${id}::uuid)`,
  );
  return row ? ({ ...row, kind: sourceKindSchema.parse(row.kind) } as FoundSource) : null;
}

interface NewSource {
  id: string;
  projectId: string;
  kind: SourceKind;
  name: string;
  tokenHash: string;
  tokenHint: string;
  signingSecretsSealed: string[];
  signatureHeader: string | null;
  timestampHeader: string | null;
  mapping: Mapping;
  staleSeconds: number;
  createdAt: Date;
}

export function insertSource(db: TenantDb, organizationId: OrganizationId, source: NewSource) {
  return db.alertSource.create({
    data: { organizationId, ...source, mapping: toJson(source.mapping) },
  });
}

export async function getSourceRow(db: TenantDb, sourceId: string) {
  const row = await db.alertSource.findFirst({ where: { id: sourceId } });
  if (!row) throw new NotFoundError();
  return row;
}
export type SourceRow = Awaited<ReturnType<typeof getSourceRow>>;

/** Returns sources, newest first. */
export function listSourceRows(
  db: TenantDb,
  page: { limit: number; beforeId: string | null; projectId?: string | undefined },
) {
  return db.alertSource.findMany({
    where: {
      ...(page.beforeId ? { id: { lt: page.beforeId } } : {}),
      ...(page.projectId ? { projectId: page.projectId } : {}),
    },
    orderBy: { id: 'desc' },
    take: page.limit + 1,
  });
}

export interface SourceChanges {
  name?: string;
  signingSecretsSealed?: string[];
  signatureHeader?: string | null;
  timestampHeader?: string | null;
  mapping?: Mapping;
  staleSeconds?: number;
  disabledAt?: Date | null;
  tokenHash?: string;
  tokenHint?: string;
  previousTokenHash?: string;
  previousTokenUntil?: Date;
}

/** @throws NotFoundError if it was deleted in the meantime */
export async function updateSourceRow(
  db: TenantDb,
  sourceId: string,
  { mapping, ...changes }: SourceChanges,
): Promise<void> {
  const { count } = await db.alertSource.updateMany({
    where: { id: sourceId },
    data: { ...changes, ...(mapping ? { mapping: toJson(mapping) } : {}) },
  });
  if (count === 0) throw new NotFoundError();
}

/** Deletes a source with its alerts and deliveries. */
export async function deleteSourceRow(db: TenantDb, sourceId: string): Promise<void> {
  const { count } = await db.alertSource.deleteMany({ where: { id: sourceId } });
  if (count === 0) throw new NotFoundError();
}

/**
 * Locks a source until the end of the transaction: its deliveries are processed one transaction
 * after the other, by whichever process. Requests are stored meanwhile: a key lock would hold them up.
 *
 * @returns null if it was deleted
 */
export async function lockSource(
  db: TenantDb,
  organizationId: string,
  sourceId: string,
): Promise<{ projectId: string; kind: SourceKind; mapping: Mapping; staleSeconds: number } | null> {
  const [row] = await queryRaw<{
    projectId: string;
    kind: string;
    mapping: unknown;
    staleSeconds: number;
  }>(
    db,
    Prisma.sql`select project_id as "projectId", kind, mapping, stale_seconds as "staleSeconds" from alert_source
      where organization_id = ${organizationId}::uuid and id = ${sourceId}::uuid for no key update`,
  );
  if (!row) return null;
  const { kind, mapping } = row;
  return { ...row, kind: sourceKindSchema.parse(kind), mapping: mappingSchema.parse(mapping) };
}

interface NewDelivery {
  id: string;
  sourceId: string;
  body: Uint8Array;
  headers: Record<string, string>;
  dedupKey: string | null;
  nextAttemptAt: Date;
  receivedAt: Date;
}

/** Stores a request; a repeat of one that is there only counts. */
export async function storeDelivery(
  db: TenantDb,
  organizationId: OrganizationId,
  delivery: NewDelivery,
): Promise<void> {
  const { id, sourceId, body, headers, dedupKey, nextAttemptAt, receivedAt } = delivery;
  await executeRaw(
    db,
    Prisma.sql`insert into alert_delivery
        (id, organization_id, source_id, state, body, body_bytes, headers, dedup_key, next_attempt_at, received_at)
      values (${id}::uuid, ${organizationId}::uuid, ${sourceId}::uuid, 'received', ${Buffer.from(body)}, ${body.byteLength},
        ${JSON.stringify(headers)}::jsonb, ${dedupKey}, ${nextAttemptAt}, ${receivedAt})
      on conflict (organization_id, source_id, dedup_key) do update set repeats = alert_delivery.repeats + 1`,
  );
}

/** Stores that a request was rejected, without its body; the same reason of the same hour only counts. */
export async function storeRejection(
  db: TenantDb,
  organizationId: OrganizationId,
  rejection: {
    id: string;
    sourceId: string;
    reason: Rejection;
    bodyBytes: number;
    headers: Record<string, string>;
    at: Date;
  },
): Promise<void> {
  const { id, sourceId, reason, bodyBytes, headers, at } = rejection;
  const slot = `${reason}:${at.toISOString().slice(0, 13)}`;
  await executeRaw(
    db,
    Prisma.sql`insert into alert_delivery
        (id, organization_id, source_id, state, reason, body_bytes, headers, dedup_key, received_at, processed_at)
      values (${id}::uuid, ${organizationId}::uuid, ${sourceId}::uuid, 'rejected', ${reason}, ${bodyBytes},
        ${JSON.stringify(headers)}::jsonb, ${slot}, ${at}, ${at})
      on conflict (organization_id, source_id, dedup_key) do update set repeats = alert_delivery.repeats + 1,
        body_bytes = excluded.body_bytes, headers = excluded.headers, processed_at = excluded.processed_at`,
  );
}

export interface WaitingDelivery {
  id: string;
  /** Failed ones. */
  attempts: number;
  bodyBytes: number;
  receivedAt: Date;
}

/** Returns deliveries that wait to be processed, oldest first; a failed one only when it is due. */
export function listWaitingDeliveries(
  db: TenantDb,
  sourceId: string,
  { now, limit }: { now: Date; limit: number },
): Promise<WaitingDelivery[]> {
  return db.alertDelivery.findMany({
    where: {
      sourceId,
      state: 'received',
      OR: [{ attempts: 0 }, { nextAttemptAt: { lte: now } }],
    },
    orderBy: { id: 'asc' },
    take: limit,
    select: { id: true, attempts: true, bodyBytes: true, receivedAt: true },
  });
}

/** Returns the bodies of deliveries by their ids. */
export async function loadBodies(
  db: TenantDb,
  ids: readonly string[],
): Promise<Map<string, Uint8Array>> {
  const rows = await db.alertDelivery.findMany({
    where: { id: { in: [...ids] } },
    select: { id: true, body: true },
  });
  return new Map(rows.map(({ id, body }) => [id, body ?? new Uint8Array()]));
}

export interface DeliveryEnd {
  id: string;
  state: 'processed' | 'unparsed';
  reason: ParseFailure | null;
  result: DeliveryResult | null;
  alertCount: number;
  skippedCount: number;
  truncatedCount: number;
}

export async function endDeliveries(
  db: TenantDb,
  organizationId: string,
  ends: readonly DeliveryEnd[],
  now: Date,
): Promise<void> {
  await executeRaw(
    db,
    Prisma.sql`update alert_delivery d set state = t.state, reason = t.reason, result = t.result,
        alert_count = t."alertCount", skipped_count = t."skippedCount", truncated_count = t."truncatedCount",
        next_attempt_at = null, processed_at = ${now}
      from jsonb_to_recordset(${JSON.stringify(ends)}::jsonb) as t(id uuid, state text, reason text, result text,
        "alertCount" int, "skippedCount" int, "truncatedCount" int)
      where d.organization_id = ${organizationId}::uuid and d.id = t.id and d.state = 'received'`,
  );
}

/** Puts a delivery that can't be processed now into the future, so that it holds up no others. */
export async function postponeDelivery(
  db: TenantDb,
  deliveryId: string,
  nextAttemptAt: Date,
): Promise<void> {
  await db.alertDelivery.updateMany({
    where: { id: deliveryId, state: 'received' },
    data: { attempts: { increment: 1 }, nextAttemptAt },
  });
}

/** How many of each state a source keeps; the others' ids stay while the sender may repeat them. */
const KEPT_DELIVERIES = 200;

/** Deletes what a source has sent before its newest deliveries, as long as it isn't needed. */
export async function pruneSourceDeliveries(
  db: TenantDb,
  organizationId: string,
  sourceId: string,
): Promise<void> {
  for (const state of ['processed', 'unparsed']) {
    await executeRaw(
      db,
      Prisma.sql`with old as (
          select id, dedup_key from alert_delivery
          where organization_id = ${organizationId}::uuid and source_id = ${sourceId}::uuid and state = ${state}
            and id < (select id from alert_delivery
              where organization_id = ${organizationId}::uuid and source_id = ${sourceId}::uuid and state = ${state}
              order by id desc offset ${KEPT_DELIVERIES - 1} limit 1)
        ), emptied as (
          update alert_delivery d set body = null from old
          where d.organization_id = ${organizationId}::uuid and d.id = old.id and old.dedup_key is not null and d.body is not null
        )
        delete from alert_delivery d using old
        where d.organization_id = ${organizationId}::uuid and d.id = old.id and old.dedup_key is null`,
    );
  }
}

/** Deletes up to `limit` deliveries, of any organization, that were processed before a time. */
export async function deleteOldDeliveries(before: Date, limit: number): Promise<number> {
  const db = systemDb('retention of alert deliveries');
  return db.$executeRaw(Prisma.sql`delete from alert_delivery where id in (
    select id from alert_delivery where processed_at < ${before} limit ${limit})`);
}

/** Deletes up to `limit` alerts, of any organization, that ended before a time. */
export async function deleteOldAlerts(before: Date, limit: number): Promise<number> {
  const db = systemDb('retention of alerts');
  return db.$executeRaw(Prisma.sql`delete from alert where id in (
    select id from alert where ended_at < ${before} limit ${limit})`);
}

/** Sources, of any organization, with deliveries that nobody has processed in time. */
export async function listSourcesWithWork(
  now: Date,
  limit: number,
): Promise<{ id: string; organizationId: string }[]> {
  const db = systemDb('alert deliveries that wait');
  return db.$queryRaw(Prisma.sql`select distinct source_id as id, organization_id as "organizationId"
    from alert_delivery where state = 'received' and next_attempt_at <= ${now} limit ${limit}`);
}

/** Sources, of any organization, with alerts that the source has stopped reporting. */
export async function listSourcesWithStale(
  now: Date,
  limit: number,
): Promise<{ id: string; organizationId: string }[]> {
  const db = systemDb('alerts that their sources stopped reporting');
  return db.$queryRaw(Prisma.sql`select s.id, s.organization_id as "organizationId" from alert_source s
    where exists (select from alert a where a.source_id = s.id and a.status = 'firing'
      and a.last_seen_at <= ${now}::timestamptz - make_interval(secs => s.stale_seconds)) limit ${limit}`);
}

/** Of each fingerprint, this many that began last, besides the firing one and those asked for. */
const OCCURRENCES = 5;

/** Returns the occurrences of these fingerprints: the newest, the firing one, and those that began at these times. */
export async function listOccurrences(
  db: TenantDb,
  organizationId: string,
  sourceId: string,
  { fingerprints, startsAt }: { fingerprints: readonly string[]; startsAt: readonly string[] },
): Promise<Occurrence[]> {
  const rows = await queryRaw<Record<string, unknown>>(
    db,
    Prisma.sql`select distinct on (a.id) ${OCCURRENCE} from unnest(${[...fingerprints]}::text[]) as f(fingerprint)
      cross join lateral (
        (select * from alert where organization_id = ${organizationId}::uuid and source_id = ${sourceId}::uuid
            and fingerprint = f.fingerprint order by started_at desc limit ${OCCURRENCES})
        union all
        (select * from alert where organization_id = ${organizationId}::uuid and source_id = ${sourceId}::uuid
            and fingerprint = f.fingerprint and status = 'firing')
        union all
        (select * from alert where organization_id = ${organizationId}::uuid and source_id = ${sourceId}::uuid
            and fingerprint = f.fingerprint and starts_at = any(${[...startsAt]}::text[]))
      ) a`,
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
    Prisma.sql`select ${OCCURRENCE} from alert a where organization_id = ${organizationId}::uuid
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
    status: alertStatusSchema.parse(row.status),
    kind: alertKindSchema.parse(row.kind),
    severity: alertSeveritySchema.parse(row.severity),
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
      Prisma.sql`update alert a set status = t.status, severity = t.severity, title = t.title, link = t.link,
          annotations = t.annotations, last_seen_at = t."lastSeenAt", repeats = t.repeats, ended_at = t."endedAt"
        from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as ${columns}
        where a.organization_id = ${at.organizationId}::uuid and a.id = t.id`,
    );
  }
  if (inserted.length > 0) {
    await executeRaw(
      db,
      Prisma.sql`insert into alert (id, organization_id, project_id, source_id, fingerprint, starts_at, started_at, status,
          kind, severity, title, service_text, service_id, rule, link, labels, annotations, first_seen_at, last_seen_at,
          repeats, ended_at)
        select t.id, ${at.organizationId}::uuid, ${at.projectId}::uuid, ${at.sourceId}::uuid, t.fingerprint, t."startsAt",
          t."startedAt", t.status, t.kind, t.severity, t.title, t."serviceText", t."serviceId", t.rule, t.link, t.labels,
          t.annotations, t."firstSeenAt", t."lastSeenAt", t.repeats, t."endedAt"
        from jsonb_to_recordset(${JSON.stringify(inserted)}::jsonb) as ${columns}`,
    );
  }
}

/** Returns alerts, newest first. */
export function listAlertRows(
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
  return db.alert.findMany({
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
export type AlertRow = Awaited<ReturnType<typeof listAlertRows>>[number];

/** Returns deliveries of a source, newest first; bodies only of those that can't be read. */
export async function listDeliveryRows(
  db: TenantDb,
  sourceId: string,
  page: { limit: number; beforeId: string | null },
) {
  const rows = await db.alertDelivery.findMany({
    where: { sourceId, ...(page.beforeId ? { id: { lt: page.beforeId } } : {}) },
    orderBy: { id: 'desc' },
    take: page.limit + 1,
    omit: { body: true },
  });
  const unread = rows.filter(({ state }) => state === 'unparsed').map(({ id }) => id);
  const bodies = unread.length > 0 ? await loadBodies(db, unread) : new Map<string, Uint8Array>();
  return rows.map((row) => ({ ...row, body: bodies.get(row.id) ?? null }));
}
export type DeliveryRow = Awaited<ReturnType<typeof listDeliveryRows>>[number];
