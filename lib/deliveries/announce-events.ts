/**
 * Writes the messages about a chain, a budget or a runner, in the transaction in which the event
 * happens.
 */

import type { TenantScope } from '@/lib/platform/db/scope';
import type { TenantDb } from '@/lib/platform/db/tenant-db';
import { env } from '@/lib/platform/env';
import { encodeId } from '@/lib/platform/ids';
import { announce } from './announce';
import {
  budgetEvent,
  type CrossedBudget,
  chainEndEvents,
  chainEscalatedEvent,
  chainStartedEvent,
  sessionCompletedEvent,
} from './chain-events';
import { isAnyoneListening, loadChainFacts, loadOrganization, loadSubject } from './data';
import type { Happening, WebhookEvent } from './schema';

type Facts = Awaited<ReturnType<typeof loadChainFacts>>;

/** Announces that the first process of a chain is about to start. */
export async function announceStart(
  db: TenantDb,
  scope: TenantScope,
  { chainId }: { chainId: string },
  now: Date,
): Promise<string[]> {
  if (!(await isAnyoneListening(db, scope.organizationId, ['chain.started']))) return [];
  const facts = await loadChainFacts(db, chainId, env().publicUrl, now);
  const event = chainStartedEvent(facts, now);
  return announce(
    db,
    scope.organizationId,
    [{ event, projectId: facts.projectId, chainId, occasion: `chain.started:${chainId}` }],
    now,
  );
}

/** Announces that a session has ended and that the next tier's waits to start. Ids are UUIDs. */
export async function announceEscalation(
  db: TenantDb,
  scope: TenantScope,
  hop: {
    chainId: string;
    fromSessionId: string;
    toSessionId: string;
    services: readonly string[];
  },
  now: Date,
): Promise<string[]> {
  if (
    !(await isAnyoneListening(db, scope.organizationId, ['chain.escalated', 'session.completed']))
  )
    return [];
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
  return announce(db, scope.organizationId, happenings, now);
}

/** Announces that a chain has ended, and with it its last session. */
export async function announceEnd(
  db: TenantDb,
  scope: TenantScope,
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
  return announce(db, scope.organizationId, happenings, now);
}

/** Announces the budgets that a booking crossed. `chainId` is null for a turn of a conversation. */
export async function announceBudgets(
  db: TenantDb,
  scope: TenantScope,
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
  return announce(db, scope.organizationId, happenings, now);
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
  scope: TenantScope,
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
      summary: `Runner ${name} of pool ${pool} stopped answering at ${clock(lastSeenAt)} UTC. Check that its host is up and reaches this address.`,
      link: `${env().publicUrl}/${organization.slug}/runners/${id}`,
      runner: { id, name, pool, lastSeenAt },
    },
  };
  const occasion = `runner.offline:${runnerId}:${runner.lastSeenAt.getTime()}`;
  const happening = { event, projectId: null, chainId: null, occasion };
  return announce(db, scope.organizationId, [happening], now);
}

/** `14:40` of `2026-11-21T14:40:02.000Z`. */
function clock(iso: string): string {
  return iso.slice(11, 16);
}
