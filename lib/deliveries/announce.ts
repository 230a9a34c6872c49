import { v7 as uuidv7 } from 'uuid';
import { recordNotices } from '@/lib/engine/events/notices';
import type { OrganizationId } from '@/lib/platform/db/scope';
import type { TenantDb } from '@/lib/platform/db/tenant-db';
import { listListeningChannels } from './channels/data';
import { listSubscribedEndpoints } from './endpoints/data';
import { messageOf } from './message';
import { insertDeliveries } from './outbox/data';
import { scheduleDeliveries } from './outbox/sending-data';
import { type ChannelRoutes, isFor, isSubscribed } from './recipients';
import type { Happening } from './schema';

/**
 * Writes deliveries for events, in the transaction in which they happen: one for every subscribed
 * webhook endpoint and one for every notification channel that is subscribed. Nothing is sent
 * before the commit.
 *
 * @returns ids of the new deliveries, to enqueue after the commit
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
      .filter((channel) => isSubscribed(channel, event, projectId))
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

interface Told {
  projectId: string;
  chainId: string | null;
  sessionId: null;
  level: 'info' | 'warning';
  code: 'NOTIFIED' | 'NOBODY_NOTIFIED';
  message: string;
}

/**
 * Returns the feed entry that names who is notified that a chain needs a human, a warning if that
 * is nobody, and nothing for other events. Messages are sent later, so the entry doesn't say that
 * they arrived.
 */
function toldNotice(
  { event, projectId, chainId }: Happening,
  channels: readonly (ChannelRoutes & { name: string; kind: string })[],
  endpoints: readonly { url: string; projectId: string | null; eventTypes: readonly string[] }[],
): Told[] {
  const isEnd = event.type === 'chain.completed' && event.data.chain.outcome === 'needs_human';
  if (!isEnd || projectId === null) return [];
  const about = { projectId, chainId, sessionId: null };
  const told = [
    ...channels
      .filter((channel) => isSubscribed(channel, event, projectId))
      .map(({ name, kind }) => `${name} (${kind === 'email' ? 'e-mail' : 'Apprise'})`),
    ...endpoints
      .filter((endpoint) => isFor(endpoint.projectId, projectId))
      .map(({ url }) => `${new URL(url).host} (webhook)`),
  ];
  if (told.length === 0) {
    const message =
      'Nobody is notified: no notification channel or webhook is subscribed to chains that need a human. Add one under Settings, Notifications.';
    return [{ ...about, level: 'warning', code: 'NOBODY_NOTIFIED', message }];
  }
  const message = `A human is needed. Notifying ${listOf(told)}.`;
  return [{ ...about, level: 'info', code: 'NOTIFIED', message }];
}

/** `a`, `a and b`, `a, b and c`. */
function listOf(names: readonly string[]): string {
  const last = names.at(-1) ?? '';
  return names.length < 2 ? last : `${names.slice(0, -1).join(', ')} and ${last}`;
}
