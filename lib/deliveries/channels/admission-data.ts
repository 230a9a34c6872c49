import { sql } from 'kysely';
import { changedBySystem } from '@/lib/platform/db/sql';
import type { TenantDb } from '@/lib/platform/db/tenant-db';
import { decodeId } from '@/lib/platform/ids';
import { DEDUP_PREFIX } from '../alert';
import { type DeliveryRecord, OPEN } from '../outbox/data';
import { isEndOfIncident } from './quiet-hours';

/** Returns the UUID of the incident that a delivery is about; null if it is about something else. */
export function incidentOf({ subject }: Pick<DeliveryRecord, 'subject'>): string | null {
  return subject?.startsWith(DEDUP_PREFIX)
    ? decodeId('inc', subject.slice(DEDUP_PREFIX.length))
    : null;
}

export function findIncidentState(
  db: TenantDb,
  incidentId: string,
): Promise<{ state: string; severity: string; silencedBy: string | null } | null> {
  return db.incident.findFirst({
    where: { id: incidentId },
    select: { state: true, severity: true, silencedBy: true },
  });
}

/** Returns whether a later message about the subject is to be sent to the same channel. */
export async function hasLaterMessage(
  db: TenantDb,
  { id, channelId, subject, sequence }: DeliveryRecord,
): Promise<boolean> {
  if (channelId === null || subject === null || sequence === null) return false;
  const later = await db.webhookDelivery.count({
    where: {
      ...{ channelId, subject, status: { in: OPEN } },
      OR: [{ sequence: { gt: sequence } }, { sequence, id: { gt: id } }],
    },
  });
  return later > 0;
}

/**
 * Returns whether quiet hours dropped the messages about a subject since the last one that the channel
 * received, and that one said that it was over, or there is none.
 */
export async function isUnknownOutage(
  db: TenantDb,
  { id, channelId, subject }: DeliveryRecord,
): Promise<boolean> {
  if (channelId === null || subject === null) return false;
  const earlier = { channelId, subject, id: { lt: id } };
  const received = await db.webhookDelivery.findFirst({
    where: { ...earlier, status: 'delivered' },
    orderBy: { id: 'desc' },
    select: { id: true, eventType: true },
  });
  if (received && !isEndOfIncident(received.eventType)) return false;
  const since = received ? { gt: received.id } : {};
  const dropped = await db.webhookDelivery.count({
    where: { ...earlier, id: { ...since, lt: id }, status: 'cancelled', heldAt: { not: null } },
  });
  return dropped > 0;
}

/** Makes the messages due that a channel's quiet hours postponed: they have changed. */
export async function releaseHeld(db: TenantDb, channelId: string, now: Date): Promise<void> {
  await db.webhookDelivery.updateMany({
    where: { channelId, status: 'scheduled', heldAt: { not: null } },
    data: { nextAttemptAt: now },
  });
}

/**
 * Makes the held messages due whose incident has become critical since, in every organization.
 *
 * @returns how many
 */
export function releaseCritical(now: Date): Promise<number> {
  return changedBySystem(
    'messages held by quiet hours',
    sql`update webhook_delivery d set next_attempt_at = ${now}
      from incident i
      where d.status = 'scheduled' and d.next_attempt_at > ${now} and d.held_incident_id is not null
        and i.organization_id = d.organization_id and i.id = d.held_incident_id
        and i.severity = 'critical' and i.state <> 'resolved'`,
  );
}
