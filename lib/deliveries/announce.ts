/**
 * Writes the messages about a chain, a budget or a runner, in the transaction in which the event
 * happens.
 */

import type { chainEscalated } from '@/lib/engine/domain-events';
import { recordNotices } from '@/lib/engine/events/notices';
import { isAnnouncedByIncident } from '@/lib/incidents/incident-rows';
import type { TenantDb } from '@/lib/platform/db/tenant-db';
import type { PayloadOf } from '@/lib/platform/domain-events';
import { env } from '@/lib/platform/env';
import { encodeId } from '@/lib/platform/ids';
import { isSuperseding } from './alert';
import { alertOf } from './alert-of-event';
import {
  budgetEvent,
  type CrossedBudget,
  chainEndEvents,
  chainEscalatedEvent,
  chainStartedEvent,
  sessionCompletedEvent,
} from './chain-events';
import { listSubscribedChannels } from './channels/data';
import { channelKindOf } from './channels/registry';
import { hasSubscribers, loadChainFacts, loadOrganization, loadSubject } from './data';
import { listSubscribedEndpoints } from './endpoints/data';
import { messageOf } from './message';
import { insertDeliveries } from './outbox/data';
import { listFirstInLine, scheduleDeliveries } from './outbox/sending-data';
import { type ChannelRoutes, isFor, isSubscribed, receives } from './recipients';
import type { Happening, WebhookEvent, WebhookEventType } from './schema';

type Facts = Awaited<ReturnType<typeof loadChainFacts>>;

/** Announces that the first process of a chain is about to start. */
export async function announceStart(
  db: TenantDb,
  { chainId }: { chainId: string },
  now: Date,
): Promise<string[]> {
  if (!(await hasSubscribers(db, ['chain.started']))) return [];
  const facts = await loadChainFacts(db, chainId, env().publicUrl, now);
  const event = chainStartedEvent(facts, now);
  return announce(
    db,
    [{ event, projectId: facts.projectId, chainId, occasion: `chain.started:${chainId}` }],
    now,
  );
}

/** Announces that a session has ended and that the next tier's waits to start. Ids are UUIDs. */
export async function announceEscalation(
  db: TenantDb,
  hop: PayloadOf<typeof chainEscalated>,
  now: Date,
): Promise<string[]> {
  if (!(await hasSubscribers(db, ['chain.escalated', 'session.completed']))) return [];
  const { chainId } = hop;
  const facts = await loadChainFacts(db, chainId, env().publicUrl, now);
  const ids = {
    fromId: encodeId('ses', hop.fromSessionId),
    toId: encodeId('ses', hop.toSessionId),
  };
  const escalated: Happening = {
    event: chainEscalatedEvent(facts, { ...ids, services: hop.services }, now),
    projectId: facts.projectId,
    chainId,
    occasion: `chain.escalated:${hop.toSessionId}`,
  };
  const happenings = [...endedSessions(facts, chainId, now), escalated];
  return announce(db, happenings, now);
}

/** Announces that a chain has ended, and with it its last session. */
export async function announceEnd(
  db: TenantDb,
  { chainId }: { chainId: string },
  now: Date,
): Promise<string[]> {
  const facts = await loadChainFacts(db, chainId, env().publicUrl, now);
  const ended = chainEndEvents(facts, now).map((event) => ({
    event,
    projectId: facts.projectId,
    chainId,
    occasion: `${event.type}:${chainId}`,
  }));
  const happenings = [...endedSessions(facts, chainId, now), ...ended];
  // People are notified of its incident, once for each change, instead of every chain.
  const isForPeople = !(await isAnnouncedByIncident(db, chainId));
  return announce(db, happenings, now, { isForPeople });
}

/** Announces the budgets that a booking crossed. `chainId` is null for a turn of a conversation. */
export async function announceBudgets(
  db: TenantDb,
  {
    projectId,
    chainId,
    crossed,
  }: { projectId: string; chainId: string | null; crossed: readonly CrossedBudget[] },
  now: Date,
): Promise<string[]> {
  const { publicUrl } = env();
  const facts = await loadSubject(db, projectId, chainId);
  const projectLink = `${publicUrl}/${facts.organization.slug}/projects/${facts.project.slug}`;
  const happenings = crossed.map((budget) => ({
    event: budgetEvent({ ...facts, projectLink }, budget, now),
    projectId,
    chainId,
    occasion: budgetOccasion(budget, projectId, chainId, now),
  }));
  return announce(db, happenings, now);
}

/** Returns one event for each session that has ended and had started. */
function endedSessions(facts: Facts, chainId: string, now: Date): Happening[] {
  return facts.sessions
    .filter((session) => session.durationMs !== null)
    .map((session) => ({
      event: sessionCompletedEvent(facts, session, now),
      projectId: facts.projectId,
      chainId,
      occasion: `session.completed:${session.id}`,
    }));
}

/**
 * Returns the key that limits a budget's message to one per chain, day or month and limit, so that
 * a raised budget is announced again.
 */
function budgetOccasion(
  { code, scope, limitMicros }: CrossedBudget,
  projectId: string,
  chainId: string | null,
  now: Date,
): string {
  const day = now.toISOString().slice(0, 10);
  const period = {
    chain: chainId,
    day: `${projectId}:${day}`,
    month: `${projectId}:${day.slice(0, 7)}`,
  };
  return `${code.toLowerCase()}:${scope}:${period[scope]}:${limitMicros}`;
}

/** Announces that a runner is offline. `runnerId` is a UUID. */
export async function announceOffline(
  db: TenantDb,
  runner: { runnerId: string; name: string; pool: string; lastSeenAt: Date },
  now: Date,
): Promise<string[]> {
  const { runnerId, name, pool } = runner;
  const organization = await loadOrganization(db);
  const id = encodeId('rnr', runnerId);
  const lastSeenAt = runner.lastSeenAt.toISOString();
  const event: WebhookEvent = {
    type: 'runner.offline',
    timestamp: now.toISOString(),
    data: {
      organization,
      summary: `Runner ${name} of pool ${pool} stopped responding at ${clock(lastSeenAt)} UTC. Check that its host is up and can reach this address.`,
      link: `${env().publicUrl}/${organization.slug}/runners/${id}`,
      runner: { id, name, pool, lastSeenAt },
    },
  };
  const occasion = `runner.offline:${runnerId}:${runner.lastSeenAt.getTime()}`;
  const happening = { event, projectId: null, chainId: null, occasion };
  return announce(db, [happening], now);
}

/** Announces that a second host used a runner's key. `runnerId` is a UUID. */
export async function announceSharedKey(
  db: TenantDb,
  { runnerId, name, at }: { runnerId: string; name: string; at: Date },
  now: Date,
): Promise<string[]> {
  const organization = await loadOrganization(db);
  const id = encodeId('rnr', runnerId);
  const event: WebhookEvent = {
    type: 'runner.key_shared',
    timestamp: now.toISOString(),
    data: {
      organization,
      summary: `A second host used the key of runner ${name} at ${clock(at.toISOString())} UTC and was refused. Give it a key of its own or stop it. If you don’t know it, rotate the key.`,
      link: `${env().publicUrl}/${organization.slug}/runners/${id}`,
      runner: { id, name },
    },
  };
  const occasion = `runner.key_shared:${runnerId}:${at.getTime()}`;
  return announce(db, [{ event, projectId: null, chainId: null, occasion }], now);
}

/** `14:40` of `2026-11-21T14:40:02.000Z`. */
function clock(iso: string): string {
  return iso.slice(11, 16);
}

/**
 * Writes deliveries for events, in the transaction in which they happen: one for every subscribed
 * webhook endpoint and one for every notification channel that is subscribed. Nothing is sent
 * before the commit.
 *
 * @param options.isForPeople false: notification channels don't get them
 * @param options.sentAlready an event of the same change that is announced, too: channels get one message
 * @param options.onlyIfReceived an earlier event: channels that aren’t subscribed to it now get nothing about these either
 * @returns ids of the new deliveries to enqueue after the commit: all of them unless the organization
 *   has a long line already
 */
export async function announce(
  db: TenantDb,
  happenings: readonly Happening[],
  now: Date,
  {
    isForPeople = true,
    sentAlready = null,
    onlyIfReceived = null,
  }: {
    isForPeople?: boolean;
    sentAlready?: WebhookEventType | null;
    onlyIfReceived?: WebhookEventType | null;
  } = {},
): Promise<string[]> {
  if (happenings.length === 0) return [];
  const channels = isForPeople ? await listSubscribedChannels(db) : [];
  const messages = happenings.flatMap(({ event, projectId, chainId, occasion }) =>
    channels
      .filter(
        (channel) =>
          isSubscribed(channel, event, projectId) &&
          !(sentAlready && receives(channel, sentAlready)) &&
          (!onlyIfReceived || receives(channel, onlyIfReceived)),
      )
      .map((channel) => ({
        channelId: channel.id,
        chainId,
        eventType: event.type,
        occasion,
        ...placeOf(channel, event),
        body: JSON.stringify(messageOf(event)),
      })),
  );
  const endpoints = await listSubscribedEndpoints(
    db,
    happenings.map(({ event }) => event.type),
  );
  const ids = [
    ...(await scheduleDeliveries(db, endpoints, happenings, now)),
    ...(await insertDeliveries(db, messages, now)),
  ];
  if (!isForPeople || onlyIfReceived) return listFirstInLine(db, ids, now);
  const notices = happenings.flatMap((happening) => toAlertNotice(happening, channels, endpoints));
  recordNotices(db, notices, now);
  return listFirstInLine(db, ids, now);
}

/** Where a message stands among those about the same outage. */
function placeOf({ alertsOnly }: { alertsOnly: boolean }, event: WebhookEvent) {
  const alert = alertOf(event);
  return {
    subject: alert?.dedupKey ?? null,
    sequence: alert ? BigInt(alert.sequence) : null,
    // On-call services keep a state and chats a history: only the former can do without a message.
    supersedes: alert !== null && alertsOnly && isSuperseding(alert),
  };
}

/** `e-mail` and `on-call webhook` inside of a sentence; names of products as they are. */
function kindName(kind: string): string {
  const { name, inSentence = name } = channelKindOf(kind);
  return inSentence;
}

interface Notified {
  projectId: string;
  chainId: string | null;
  sessionId: null;
  level: 'info' | 'warning';
  code: 'NOTIFIED' | 'NOBODY_NOTIFIED';
  message: string;
}

/**
 * Returns the feed entry that names who is notified that a chain needs a human, or the incident that it
 * found, a warning if that is nobody, and nothing for other events. Messages are sent later, so the entry doesn't say that
 * they arrived.
 */
function toAlertNotice(
  { event, projectId, chainId }: Happening,
  channels: readonly (ChannelRoutes & { name: string; kind: string })[],
  endpoints: readonly { url: string; projectId: string | null; eventTypes: readonly string[] }[],
): Notified[] {
  const isEnd =
    event.type === 'incident.needs_human'
      ? event.data.incident.source === 'finding'
      : event.type === 'chain.completed' && event.data.chain.outcome === 'needs_human';
  if (!isEnd || projectId === null) return [];
  const about = { projectId, chainId, sessionId: null };
  const notified = [
    ...channels
      .filter((channel) => isSubscribed(channel, event, projectId))
      .map(({ name, kind }) => `${name} (${kindName(kind)})`),
    ...endpoints
      .filter((endpoint) => isFor(endpoint.projectId, projectId))
      .map(({ url }) => `${new URL(url).host} (webhook)`),
  ];
  if (notified.length === 0) {
    const message =
      'Nobody is notified: no notification channel or webhook is subscribed to chains that need a human. Add one under Organization settings, Notifications.';
    return [{ ...about, level: 'warning', code: 'NOBODY_NOTIFIED', message }];
  }
  const message = `A human is needed. Notifying ${listOf(notified)}.`;
  return [{ ...about, level: 'info', code: 'NOTIFIED', message }];
}

/** `a`, `a and b`, `a, b and c`. */
function listOf(names: readonly string[]): string {
  const last = names.at(-1) ?? '';
  return names.length < 2 ? last : `${names.slice(0, -1).join(', ')} and ${last}`;
}
