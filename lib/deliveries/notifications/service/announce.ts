import { v7 as uuidv7 } from 'uuid';
import { scheduleDeliveries } from '@/lib/deliveries/webhooks/data';
import { insertDeliveries } from '@/lib/deliveries/webhooks/deliveries/data';
import { listSubscribedEndpoints } from '@/lib/deliveries/webhooks/endpoints/data';
import type { Happening } from '@/lib/deliveries/webhooks/schema';
import { recordNotices } from '@/lib/engine/events/notices';
import type { OrganizationId } from '@/lib/platform/db/scope';
import type { TenantDb } from '@/lib/platform/db/tenant-db';
import { listListeningChannels } from '../channels/data';
import { hears } from '../channels/filter';
import { messageOf } from '../message';
import { toldNotice } from '../told-notice';

/**
 * Writes what happened down for everybody who wants to hear of it: a delivery for every subscribed
 * webhook endpoint and a message for every notification channel. In the transaction in which it
 * happens; nothing is sent before that has been committed.
 *
 * @returns ids of the new deliveries, to ring for after the commit
 */
export async function announce(
  db: TenantDb,
  organizationId: OrganizationId,
  happenings: readonly Happening[],
  now: Date,
): Promise<string[]> {
  if (happenings.length === 0) return [];
  const channels = await listListeningChannels(db);
  const messages = happenings.flatMap(({ event, projectId, chainId, occasion }) =>
    channels
      .filter((channel) => hears(channel, event, projectId))
      .map((channel) => ({
        id: uuidv7(),
        channelId: channel.id,
        chainId,
        eventType: event.type,
        occasion,
        body: JSON.stringify(messageOf(event)),
        nextAttemptAt: now,
        createdAt: now,
      })),
  );
  const endpoints = await listSubscribedEndpoints(
    db,
    happenings.map(({ event }) => event.type),
  );
  const ids = [
    ...(await scheduleDeliveries(db, organizationId, endpoints, happenings, now)),
    ...(await insertDeliveries(db, organizationId, messages)),
  ];
  const notices = happenings.flatMap((happening) => toldNotice(happening, channels, endpoints));
  await recordNotices(db, organizationId, notices, now);
  return ids;
}
