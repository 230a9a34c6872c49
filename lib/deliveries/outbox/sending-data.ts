import { type RawBuilder, sql } from 'kysely';
import { listDue } from '@/lib/platform/db/due';
import { anyOf, byId, literals, query, rowsOf, sqlRows } from '@/lib/platform/db/sql';
import type { TenantDb } from '@/lib/platform/db/tenant-db';
import { isFor } from '../recipients';
import type { Happening } from '../schema';
import { type DeliveryRecord, getDeliveryRow, insertDeliveries, OPEN } from './data';

/** How many deliveries are enqueued after one has finished. */
const ENQUEUED_AT_ONCE = 4;

interface SubscribedEndpoint {
  id: string;
  projectId: string | null;
  eventTypes: readonly string[];
}

/**
 * How long a process may take to send, in milliseconds. Later the attempt counts as lost, and
 * another process sends it.
 */
const SENDING_LEASE_MS = 120_000;

/**
 * How many deliveries of one recipient are enqueued at once. Each that was sent enqueues the next.
 */
const PER_RECIPIENT = 4;

const RECIPIENT = sql<string>`coalesce(endpoint_id, channel_id, id)`;

/**
 * Selects the ids of deliveries that have to wait for another one. Messages about one subject reach a
 * channel in order: a later one waits until the earlier ones were delivered or given up. One that
 * supersedes the earlier ones only waits for what is being sent, and those are never sent anymore.
 *
 * Windows instead of a lookup per delivery: a channel can have thousands that are to be sent.
 *
 * @param among which deliveries are looked at; all of a subject, or none
 */
function waitingDeliveries(among: RawBuilder<boolean>, now: Date): RawBuilder<{ id: string }> {
  const subject = sql`partition by organization_id, ${RECIPIENT}, subject`;
  return sql`select id from (
      select id, sequence, supersedes, row_number() over line > 1 as has_earlier,
        bool_or(status = 'sending' and next_attempt_at > ${now})
          over (line rows between unbounded preceding and 1 preceding) as is_earlier_in_flight,
        max(sequence) filter (where supersedes) over (${subject}) as newest
      from webhook_delivery
      where status in ('scheduled', 'retrying', 'sending') and subject is not null and ${among}
      window line as (${subject} order by sequence, id)
    ) alert
    where newest > sequence or (has_earlier and (not supersedes or is_earlier_in_flight))`;
}

/** Selects due deliveries that don't wait for another one. @param among as for `waitingDeliveries` */
function dueDeliveries(among: RawBuilder<boolean>, now: Date) {
  return query
    .selectFrom('webhookDelivery')
    .where(among)
    .where('status', 'in', literals(...OPEN))
    .where('nextAttemptAt', '<=', now)
    .where(sql<boolean>`id not in (${waitingDeliveries(among, now)})`);
}

/** Returns other due deliveries of the same recipient that may be sent now, oldest first. */
export async function listDueOfSameRecipient(
  db: TenantDb,
  delivery: Pick<DeliveryRecord, 'endpointId' | 'channelId'>,
  now: Date,
): Promise<string[]> {
  const recipientId = delivery.endpointId ?? delivery.channelId;
  if (!recipientId) return [];
  const isOfRecipient = sql<boolean>`organization_id = ${db.organizationId} and ${RECIPIENT} = ${recipientId}`;
  const due = dueDeliveries(isOfRecipient, now).select('id').orderBy('nextAttemptAt');
  const rows = await rowsOf(db, due.limit(ENQUEUED_AT_ONCE));
  return rows.map((row) => row.id);
}

/**
 * Writes one delivery for every subscribed endpoint: the project's own and those of the whole
 * organization.
 *
 * @returns ids of the new deliveries, to enqueue after the commit
 */
export function scheduleDeliveries(
  db: TenantDb,
  endpoints: readonly SubscribedEndpoint[],
  happenings: readonly Happening[],
  now: Date,
): Promise<string[]> {
  const deliveries = happenings.flatMap(({ event, projectId, chainId, occasion }) => {
    const body = JSON.stringify(event);
    return endpoints
      .filter(
        (endpoint) =>
          endpoint.eventTypes.includes(event.type) && isFor(endpoint.projectId, projectId),
      )
      .map((endpoint) => ({
        endpointId: endpoint.id,
        chainId,
        eventType: event.type,
        occasion,
        body,
      }));
  });
  return insertDeliveries(db, deliveries, now);
}

/**
 * Postpones what a channel would be sent earlier: it has asked for a pause, and each message that
 * ignores the pause uses up an attempt.
 */
export async function postponeDue(db: TenantDb, channelId: string, until: Date): Promise<void> {
  await db.webhookDelivery.updateMany({
    where: {
      channelId,
      status: { in: ['scheduled', 'retrying'] },
      nextAttemptAt: { lt: until },
    },
    data: { nextAttemptAt: until },
  });
}

/** How many messages may be in flight at once, to one recipient and within one organization. */
export const MAX_SENDING = { healthyRecipient: 4, failingRecipient: 1, organization: 20 } as const;

/**
 * Claims a due delivery for sending. Returns null if it isn't due, if an earlier one about its subject
 * is still to be sent, or if its recipient has the maximum of messages in flight; it then stays due
 * and is enqueued again. Returns `busy` while another process claims for its recipient. While it is being sent,
 * `nextAttemptAt` is the end of the lease, so a lost attempt becomes due by itself.
 */
export async function claimDelivery(
  db: TenantDb,
  deliveryId: string,
  now: Date,
): Promise<DeliveryRecord | 'busy' | null> {
  if (!(await tryLockRecipient(db, deliveryId))) return 'busy';
  if (!(await hasRoom(db, deliveryId, now))) return null;
  if (await isWaiting(db, deliveryId, now)) return null;
  const { count } = await db.webhookDelivery.updateMany({
    where: { id: deliveryId, status: { in: OPEN }, nextAttemptAt: { lte: now } },
    data: {
      status: 'sending',
      attempts: { increment: 1 },
      nextAttemptAt: new Date(now.getTime() + SENDING_LEASE_MS),
    },
  });
  if (count === 0) return null;
  const claimed = await getDeliveryRow(db, deliveryId);
  if (claimed.supersedes) await dropSuperseded(db, claimed, now);
  return claimed;
}

async function isWaiting(db: TenantDb, deliveryId: string, now: Date): Promise<boolean> {
  const delivery = await db.webhookDelivery.findFirst({
    where: { id: deliveryId, subject: { not: null } },
    select: { channelId: true, subject: true },
  });
  if (!delivery) return false;
  const { channelId, subject } = delivery;
  const isOfSubject = sql<boolean>`organization_id = ${db.organizationId}
    and ${RECIPIENT} = ${channelId} and subject = ${subject}`;
  const waiting = await rowsOf(db, waitingDeliveries(isOfSubject, now));
  return waiting.some(({ id }) => id === deliveryId);
}

/** Cancels earlier states of the subject that weren't sent: the target keeps only the newest one. */
async function dropSuperseded(
  db: TenantDb,
  { channelId, subject, sequence }: DeliveryRecord,
  now: Date,
): Promise<void> {
  if (channelId === null || subject === null || sequence === null) return;
  await db.webhookDelivery.updateMany({
    where: {
      channelId,
      subject,
      sequence: { lt: sequence },
      // One that is being sent keeps its turn, unless the process that sends it has died.
      OR: [
        { status: { in: ['scheduled', 'retrying'] } },
        { status: 'sending', nextAttemptAt: { lte: now } },
      ],
    },
    data: { status: 'cancelled', nextAttemptAt: null },
  });
}

/**
 * Serializes the claims for one recipient, so that none exceeds the limit. A process that finds the lock taken
 * tries again later, instead of holding a connection.
 */
async function tryLockRecipient(db: TenantDb, deliveryId: string): Promise<boolean> {
  const isOurs = sql<boolean>`pg_try_advisory_xact_lock(hashtextextended('recipient:' || ${RECIPIENT}, 0))`;
  const [turn] = await rowsOf(
    db,
    byId('webhookDelivery', db.organizationId, deliveryId).select(isOurs.as('isOurs')),
  );
  return turn?.isOurs ?? false;
}

/**
 * Limits a recipient's messages in flight, so that one that hangs can't occupy every sender. A
 * failing recipient gets one message at a time.
 */
async function hasRoom(db: TenantDb, deliveryId: string, now: Date): Promise<boolean> {
  const [counted] = await sqlRows(db)<{
    isFailing: boolean;
    recipient: number;
    total: number;
  }>`select coalesce(e.failing_since, c.failing_since) is not null as is_failing, count(o.id)::int as total,
        count(o.id) filter (where o.endpoint_id = d.endpoint_id or o.channel_id = d.channel_id)::int as recipient
      from webhook_delivery d
      left join webhook_endpoint e on e.organization_id = d.organization_id and e.id = d.endpoint_id
      left join notification_channel c on c.organization_id = d.organization_id and c.id = d.channel_id
      left join webhook_delivery o on o.organization_id = d.organization_id and o.id <> d.id
        and o.status = 'sending' and o.next_attempt_at > ${now}
      where d.organization_id = ${db.organizationId} and d.id = ${deliveryId}
      group by 1`;
  if (!counted) return false;
  const most = counted.isFailing ? MAX_SENDING.failingRecipient : MAX_SENDING.healthyRecipient;
  return counted.recipient < most && counted.total < MAX_SENDING.organization;
}

/**
 * Returns deliveries of every organization that are due and whose job may have been lost, in turns:
 * one of every organization, then the second of each. Only a few per recipient and per organization,
 * so that a long queue for one that hangs leaves room for the others.
 */
export async function listDueDeliveries(
  now: Date,
  limit = 500,
): Promise<{ organizationId: string; deliveryId: string }[]> {
  const due = dueDeliveries(sql`true`, now).select([
    ...(['id', 'organizationId', 'nextAttemptAt as dueAt'] as const),
    RECIPIENT.as('lane'),
  ]);
  const share = { limit, perOrganization: IN_LINE.organization, perLane: PER_RECIPIENT };
  const rows = await listDue('due deliveries', due, share);
  return rows.map(({ organizationId, id }) => ({ organizationId, deliveryId: id }));
}

/**
 * How many due deliveries of one organization may have a job each, since all organizations share the
 * queue and its order. Up to the second limit, a recipient without a line of its own still gets one.
 */
export const IN_LINE = { organization: 40, withOtherRecipients: 400 } as const;

/**
 * Returns which of these new deliveries get a job now. The others wait in the database, from which
 * every delivery that was sent, and the sweep, enqueue the next.
 */
export async function listFirstInLine(
  db: TenantDb,
  deliveryIds: readonly string[],
  now: Date,
): Promise<string[]> {
  if (deliveryIds.length === 0) return [];
  // No `in (select …)`: planned while there are few deliveries, it would count the line once for each of them.
  const before = dueDeliveries(sql`organization_id = ${db.organizationId}`, now).where(
    'id',
    '<>',
    sql<string>`all(${[...deliveryIds]})`,
  );
  const ofRecipient = before.where(RECIPIENT, '=', sql.ref<string>('d.recipient'));
  const rows = await sqlRows(db)<{ id: string }>`select d.id from (
        select id, ${RECIPIENT} as recipient, row_number() over (order by id) as place,
          row_number() over (partition by ${RECIPIENT} order by id) as place_of_recipient
        from webhook_delivery where organization_id = ${db.organizationId} and id = ${anyOf(deliveryIds)}
      ) d, (select count(*) as length from ${before.limit(IN_LINE.withOtherRecipients)} o) line
      where line.length + place <= ${IN_LINE.organization}
        or (line.length + place <= ${IN_LINE.withOtherRecipients} and place_of_recipient + (
          select count(*) from ${ofRecipient.limit(PER_RECIPIENT)} o) <= ${PER_RECIPIENT})
      order by place`;
  return rows.map(({ id }) => id);
}
