import { Prisma } from '@/generated/prisma/client';
import { deriveKey, open, SecretBoxError, seal } from '@/lib/platform/crypto/secret-box';
import { toJson } from '@/lib/platform/db/raw';
import { byId, rowsOf, sqlRows } from '@/lib/platform/db/sql';
import type { TenantDb } from '@/lib/platform/db/tenant-db';
import { env } from '@/lib/platform/env';
import { NotFoundError } from '@/lib/platform/errors';
import { encodeId } from '@/lib/platform/ids';
import { messageSchema } from '../message';
import { deliveryStatusSchema } from '../outbox/schema';
import { type QuietHours, quietHoursSchema } from './quiet-hours';
import { type StoredSettings, storedSettingsSchema } from './registry';
import { type ChannelDisabledReason, type ChannelDto, channelDtoSchema } from './schema';
import { TEST_END_EVENT } from './test-messages';

export interface ChannelFields {
  name: string;
  projectId: string | null;
  outcomes: string[];
  eventTypes: string[];
  target: string;
  alertsOnly: boolean;
  settingsSealed: string;
  quietHours: QuietHours | null;
  failingSince: Date | null;
  disabledAt: Date | null;
  disabledReason: ChannelDisabledReason | null;
}

export function insertChannel(
  db: TenantDb,
  channel: Omit<ChannelFields, 'failingSince' | 'disabledAt' | 'disabledReason'> & {
    id: string;
    kind: string;
    createdAt: Date;
  },
) {
  const { quietHours, ...columns } = channel;
  return db.notificationChannel.create({
    data: { organizationId: db.organizationId, ...columns, quietHours: jsonOrNull(quietHours) },
  });
}

export async function getChannelRow(db: TenantDb, channelId: string) {
  const row = await db.notificationChannel.findFirst({ where: { id: channelId } });
  if (!row) throw new NotFoundError();
  return row;
}
export type ChannelRow = Awaited<ReturnType<typeof getChannelRow>>;

/**
 * Locks a channel until the transaction ends, so that its settings are replaced one after the other.
 *
 * @throws NotFoundError
 */
export async function lockChannelRow(db: TenantDb, channelId: string): Promise<ChannelRow> {
  const [row] = await rowsOf(
    db,
    byId('notificationChannel', db.organizationId, channelId).selectAll().forUpdate(),
  );
  if (!row) throw new NotFoundError();
  return row;
}

/** Returns the quiet hours of a channel; null if it has none. */
export function quietHoursOf({ quietHours }: Pick<ChannelRow, 'quietHours'>): QuietHours | null {
  return quietHoursSchema.nullable().parse(quietHours);
}

function jsonOrNull(value: object | null) {
  return value === null ? Prisma.DbNull : toJson(value);
}

/** Returns every channel of the organization, by name. */
export function listChannelRows(db: TenantDb): Promise<ChannelRow[]> {
  return db.notificationChannel.findMany({ orderBy: [{ name: 'asc' }, { id: 'asc' }] });
}

/** Returns the channels that are enabled. */
export function listSubscribedChannels(db: TenantDb): Promise<ChannelRow[]> {
  return db.notificationChannel.findMany({
    where: { disabledAt: null },
    orderBy: { name: 'asc' },
  });
}

/**
 * Updates a channel.
 *
 * @throws NotFoundError if it was deleted in the meantime
 */
export async function updateChannelRow(
  db: TenantDb,
  channelId: string,
  changes: Partial<ChannelFields>,
): Promise<void> {
  const { quietHours, ...columns } = changes;
  const { count } = await db.notificationChannel.updateMany({
    where: { id: channelId },
    data: {
      ...columns,
      ...(quietHours === undefined ? {} : { quietHours: jsonOrNull(quietHours) }),
    },
  });
  if (count === 0) throw new NotFoundError();
}

/** Deletes a channel and its deliveries. */
export async function deleteChannelRow(db: TenantDb, channelId: string): Promise<void> {
  const { count } = await db.notificationChannel.deleteMany({ where: { id: channelId } });
  if (count === 0) throw new NotFoundError();
}

/** Returns names of the paging policies that notify a channel. @param channelId `ntc_…` */
export async function listUsersOfChannel(db: TenantDb, channelId: string): Promise<string[]> {
  const rows = await db.pagingPolicy.findMany({
    where: { steps: { array_contains: [{ channelIds: [channelId] }] } },
    select: { name: true },
    orderBy: { name: 'asc' },
  });
  return rows.map(({ name }) => name);
}

/** Disables a channel. Returns false if it already is. */
export async function disableChannel(
  db: TenantDb,
  channelId: string,
  reason: ChannelDisabledReason,
  now: Date,
): Promise<boolean> {
  const { count } = await db.notificationChannel.updateMany({
    where: { id: channelId, disabledAt: null },
    data: { disabledAt: now, disabledReason: reason },
  });
  return count === 1;
}

/**
 * Returns the newest message of each channel with its newest attempt, by the channel's UUID. One
 * query looks them up channel by channel, because each may have thousands of messages. The end of a
 * test isn't shown: its first message says whether the target works.
 */
export async function lastMessages(db: TenantDb, channelIds: readonly string[]) {
  const newest = await sqlRows(db)<{
    id: string;
  }>`select last.id from unnest(${[...channelIds]}::uuid[]) as channel(id)
      cross join lateral (select d.id from webhook_delivery d
        where d.organization_id = ${db.organizationId} and d.channel_id = channel.id
          and d.event_type <> ${TEST_END_EVENT}
        order by d.id desc limit 1) last`;
  const rows = await db.webhookDelivery.findMany({
    where: { id: { in: newest.map(({ id }) => id) } },
    include: { log: { orderBy: { number: 'desc' }, take: 1 } },
  });
  return new Map(rows.map((row) => [row.channelId ?? '', row]));
}
export type LastMessageRow =
  Awaited<ReturnType<typeof lastMessages>> extends Map<string, infer Row> ? Row : never;

export function toChannelDto(row: ChannelRow, last: LastMessageRow | undefined): ChannelDto {
  return {
    id: encodeId('ntc', row.id),
    kind: channelDtoSchema.shape.kind.parse(row.kind),
    name: row.name,
    target: row.target,
    outcomes: row.outcomes,
    eventTypes: row.eventTypes,
    projectId: row.projectId && encodeId('prj', row.projectId),
    alertsOnly: row.alertsOnly,
    quietHours: quietHoursOf(row),
    createdAt: row.createdAt.toISOString(),
    failingSince: row.failingSince?.toISOString() ?? null,
    disabledAt: row.disabledAt?.toISOString() ?? null,
    disabledReason: row.disabledReason,
    last: last ? lastOf(last) : null,
  };
}

function lastOf(row: LastMessageRow): NonNullable<ChannelDto['last']> {
  const [attempt] = row.log;
  return {
    id: encodeId('dlv', row.id),
    eventType: row.eventType,
    title: messageSchema.parse(JSON.parse(row.body)).title,
    status: deliveryStatusSchema.parse(row.status),
    attempts: row.attempts,
    at: (attempt?.at ?? row.createdAt).toISOString(),
    nextAttemptAt: row.nextAttemptAt?.toISOString() ?? null,
    result: attempt ? attempt.responseExcerpt || String(attempt.status ?? '') || null : null,
  };
}

/** Encrypts settings for storage. They are bound to their channel, so no other row can use them. */
export function sealSettings(settings: StoredSettings, channelId: string): string {
  return seal(JSON.stringify(settings), key(), contextOf(channelId));
}

/** Returns the decrypted settings of a channel; null if they were encrypted with another key. */
export function openSettings({ id, settingsSealed }: ChannelRow): StoredSettings | null {
  try {
    return storedSettingsSchema.parse(JSON.parse(open(settingsSealed, key(), contextOf(id))));
  } catch (error) {
    if (error instanceof SecretBoxError) return null;
    throw error;
  }
}

function key(): Buffer {
  return deriveKey(env().secretKey, 'notifications');
}

function contextOf(channelId: string): string {
  return `channel:${channelId}`;
}
