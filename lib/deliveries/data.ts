import { sql } from 'kysely';
import { chainOutcomeSchema, chainTriggerSchema } from '@/lib/engine/statuses';
import { query, rowsOf } from '@/lib/platform/db/sql';
import type { TenantDb } from '@/lib/platform/db/tenant-db';
import { encodeId } from '@/lib/platform/ids';
import type { ChainFacts } from './chain-events';
import type { WebhookEventType } from './schema';

/** Loads the organization and project a message is about. Ids are UUIDs. */
export async function loadSubject(db: TenantDb, projectId: string, chainId: string | null) {
  const project = await db.project.findFirstOrThrow({ where: { id: projectId } });
  const organization = await db.organization.findFirstOrThrow({});
  const chain = chainId && (await db.chain.findFirstOrThrow({ where: { id: chainId } }));
  return {
    organization: {
      id: encodeId('org', organization.id),
      slug: organization.slug,
      name: organization.name,
    },
    project: { id: encodeId('prj', project.id), slug: project.slug, name: project.name },
    chain: chain ? { id: encodeId('chn', chain.id), number: chain.number } : null,
  };
}

/** Returns the facts of a message about a chain, read from its rows. `projectId` is a UUID. */
export async function loadChainFacts(
  db: TenantDb,
  chainId: string,
  publicUrl: string,
  now: Date,
): Promise<ChainFacts & { projectId: string }> {
  const chain = await db.chain.findFirstOrThrow({ where: { id: chainId } });
  const project = await db.project.findFirstOrThrow({ where: { id: chain.projectId } });
  const organization = await db.organization.findFirstOrThrow({});
  const sessions = await db.session.findMany({ where: { chainId }, orderBy: { number: 'asc' } });
  const costs = await db.ledgerEntry.groupBy({
    by: ['sessionId'],
    where: { chainId },
    _sum: { costMicros: true },
  });
  const decisions = await db.decision.findMany({
    where: { chainId, kind: 'continuation' },
    orderBy: { id: 'asc' },
  });
  const costOf = new Map(costs.map((row) => [row.sessionId, row._sum.costMicros ?? 0n]));
  const reasonOf = new Map(decisions.map((row) => [row.sessionId, row.reason]));
  return {
    projectId: project.id,
    organization: {
      id: encodeId('org', organization.id),
      slug: organization.slug,
      name: organization.name,
    },
    project: { id: encodeId('prj', project.id), slug: project.slug, name: project.name },
    chain: {
      id: encodeId('chn', chain.id),
      number: chain.number,
      trigger: chainTriggerSchema.parse(chain.trigger),
      outcome: chainOutcomeSchema.parse(chain.outcome ?? 'failed'),
      reason: chain.outcomeReason,
      explanation: chain.statusText,
      highestTier: chain.highestTier,
      isDryRun: chain.isDryRun,
      startedAt: chain.startedAt,
      endedAt: chain.endedAt ?? now,
    },
    sessions: sessions.map((session) => ({
      id: encodeId('ses', session.id),
      number: session.number,
      tier: session.tier,
      model: session.model,
      status: session.status,
      mechanism: session.mechanism,
      reason: reasonOf.get(session.id) ?? null,
      costMicros: costOf.get(session.id) ?? 0n,
      durationMs:
        session.startedAt && session.endedAt
          ? session.endedAt.getTime() - session.startedAt.getTime()
          : null,
      turns: session.turns,
    })),
    servicesAffected: chain.servicesAffected,
    link: `${publicUrl}/${organization.slug}/projects/${project.slug}/chains/${chain.number}`,
  };
}

interface Named {
  id: string;
  slug: string;
  name: string;
}

/** Returns the organization in the form that events carry. */
export async function loadOrganization(db: TenantDb): Promise<Named> {
  const { id, slug, name } = await db.organization.findFirstOrThrow({});
  return { id: encodeId('org', id), slug, name };
}

/**
 * Returns the UUID of the project whose feed shows an entry about an endpoint or channel: its own
 * project, the one of its last chain, or the newest. Null without any project.
 */
export async function findFeedProject(
  db: TenantDb,
  projectId: string | null,
  chainId: string | null,
): Promise<string | null> {
  if (projectId) return projectId;
  const chain = chainId ? await db.chain.findFirst({ where: { id: chainId } }) : null;
  if (chain) return chain.projectId;
  const newest = await db.project.findFirst({ orderBy: { id: 'desc' }, select: { id: true } });
  return newest?.id ?? null;
}

/**
 * Returns whether anyone is subscribed to these events, so that their facts are loaded only if
 * needed. One query.
 */
export async function hasSubscribers(
  db: TenantDb,
  types: readonly WebhookEventType[],
): Promise<boolean> {
  const subscribed = (table: 'webhookEndpoint' | 'notificationChannel') =>
    query
      .selectFrom(table)
      .select('id')
      .where('organizationId', '=', db.organizationId)
      .where('disabledAt', 'is', null)
      .where('eventTypes', '&&', sql<string[]>`${[...types]}::text[]`);
  const either = subscribed('webhookEndpoint').unionAll(subscribed('notificationChannel'));
  return (await rowsOf(db, either.limit(1))).length > 0;
}

/** Returns the enabled channels that report chains which need a human and receive notices. */
export function listReportingChannels(db: TenantDb) {
  return db.notificationChannel.findMany({
    where: { disabledAt: null, alertsOnly: false, outcomes: { has: 'needs_human' } },
    select: { id: true, projectId: true },
    orderBy: { name: 'asc' },
  });
}

/** Returns the channels that an incident's own messages have gone to since a time. Ids are UUIDs. */
export async function listAnnouncedChannels(
  db: TenantDb,
  subject: string,
  since: Date,
): Promise<string[]> {
  const rows = await db.webhookDelivery.findMany({
    where: {
      subject,
      channelId: { not: null },
      createdAt: { gte: since },
      eventType: { in: ['incident.opened', 'incident.needs_human', 'incident.reopened'] },
      status: { notIn: ['cancelled', 'refused', 'exhausted'] },
    },
    select: { channelId: true },
  });
  return rows.flatMap(({ channelId }) => channelId ?? []);
}
