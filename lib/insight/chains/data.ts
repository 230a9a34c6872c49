import { maskUrl } from '@/lib/deliveries/endpoints/schema';
import { sqlRows } from '@/lib/platform/db/sql';
import type { TenantDb } from '@/lib/platform/db/tenant-db';
import { NotFoundError } from '@/lib/platform/errors';
import { type Place, pageArgs, type TwoWayQuery } from '@/lib/platform/http/cursor';
import type { ChainQuery } from './schema';

type ChainRowQuery = Omit<ChainQuery, 'project' | keyof TwoWayQuery> & {
  projectId: string | undefined;
};

/** Returns rows newest first, one more than requested. */
export async function browseChainRows(
  db: TenantDb,
  query: ChainRowQuery,
  place: Place,
): Promise<ChainRow[]> {
  const { projectId, state, tier, service, trigger, since, until } = query;
  const { id, ...page } = pageArgs(place);
  const rows = await db.chain.findMany({
    where: {
      ...{ id, projectId, highestTier: tier, trigger },
      ...(state ? { outcome: state === 'moving' ? null : state } : {}),
      ...(service ? { servicesAffected: { has: service } } : {}),
      createdAt: { gte: since, lt: until },
      ...withHop(query),
      ...escalatedTo(query),
    },
    ...page,
    include: RELATED,
  });
  return place.afterId ? rows.reverse() : rows;
}

/** As the escalation rate counts them: of a chain started at the tier itself, nothing escalated. */
function escalatedTo({ escalated, state }: ChainRowQuery) {
  if (!escalated) return {};
  const ended = state ? {} : { outcome: { not: null } };
  return { ...ended, startTier: { lt: escalated }, highestTier: { gte: escalated } };
}

function withHop({ hop, reason }: ChainRowQuery) {
  if (!hop && !reason) return {};
  const mechanism = hop === 'resume' ? 'resume' : 'handoff';
  const isOne = hop !== undefined && hop !== 'any';
  const verdict = isOne ? { verdict: mechanism } : {};
  return {
    sessions: {
      some: {
        parentSessionId: { not: null },
        ...(isOne ? { mechanism } : {}),
        ...(hop === 'fallback' ? { isFallback: true } : {}),
        ...(reason ? { decisions: { some: { kind: 'continuation', reason, ...verdict } } } : {}),
      },
    },
  };
}

const RELATED = { project: { select: { id: true, slug: true, name: true } } } as const;

/** Returns chains newest first. */
export function listChainRows(
  db: TenantDb,
  filter: Record<'projectId' | 'status' | 'outcome', string | undefined>,
  place: Place,
) {
  const { id, ...page } = pageArgs(place);
  return db.chain.findMany({ where: { ...filter, id }, ...page, include: RELATED });
}
export type ChainRow = Awaited<ReturnType<typeof listChainRows>>[number];

/** Returns a chain by UUID, or by project and number. Throws NotFoundError. */
export async function getChainWithProject(
  db: TenantDb,
  where: { id: string } | { projectId: string; number: number },
): Promise<ChainRow> {
  const row = await db.chain.findFirst({ where, include: RELATED });
  if (!row) throw new NotFoundError();
  return row;
}

export function listHealthRows(db: TenantDb, chainId: string) {
  return db.serviceHealth.findMany({
    where: { chainId },
    include: { service: { select: { name: true, position: true } } },
  });
}
export type HealthRow = Awaited<ReturnType<typeof listHealthRows>>[number];

/** A chain with more calls than this shows the first ones; the logs have them all. */
const MAX_CALLS = 2_000;
const MAX_INPUT_BYTES = 4_000;

export function listWorkAttempts(db: TenantDb, sessionIds: readonly string[]) {
  return db.attempt.findMany({
    where: { sessionId: { in: [...sessionIds] } },
    orderBy: [{ queuedAt: 'asc' }, { number: 'asc' }],
    select: {
      id: true,
      sessionId: true,
      number: true,
      purpose: true,
      status: true,
      end: true,
      endText: true,
      startedAt: true,
      endedAt: true,
      start: true,
      confinement: true,
      runner: { select: { name: true } },
    },
  });
}
export type WorkAttemptRow = Awaited<ReturnType<typeof listWorkAttempts>>[number];

export function listWorkLedger(db: TenantDb, chainId: string) {
  return db.ledgerEntry.findMany({
    where: { chainId },
    orderBy: { id: 'asc' },
    select: {
      sessionId: true,
      attemptId: true,
      tier: true,
      model: true,
      costMicros: true,
      isEstimate: true,
    },
  });
}
export type WorkLedgerRow = Awaited<ReturnType<typeof listWorkLedger>>[number];

export interface CallRow {
  sessionId: string;
  tier: number;
  seq: number;
  tool: string;
  /** The agent that made it. */
  harness: string | null;
  input: unknown;
  at: Date;
  /** Made in a sandbox: see `listBrokeredRows` for what its commands did outside. */
  isConfined: boolean;
  isDenied: boolean | null;
  isError: boolean | null;
  exitCode: number | null;
  isLeftRunning: boolean;
  endedAt: Date | null;
  toolUseId: string;
}

/**
 * Calls with how they ended, in the order they were made. Outputs stay where they are: they are
 * what makes a log large.
 */
export function listCallRows(db: TenantDb, sessionIds: readonly string[]): Promise<CallRow[]> {
  return sqlRows(db)<CallRow>`with events as (
        select session_id, attempt_id, seq, kind, at, payload, payload->>'toolUseId' as tool_use_id
        from session_event
        where organization_id = ${db.organizationId}::uuid and session_id = any(${[...sessionIds]}::uuid[])
          and kind in ('tool_call', 'tool_result') and not is_late
      )
      select c.session_id, s.tier, c.seq, c.payload->>'tool' as tool, v.harness, c.at,
        case when pg_column_size(c.payload->'input') < ${MAX_INPUT_BYTES} then c.payload->'input'
          else jsonb_strip_nulls(jsonb_build_object(
            'command', left(c.payload->'input'->>'command', ${MAX_INPUT_BYTES}),
            'file_path', c.payload->'input'->>'file_path')) end as input,
        coalesce(a.confinement, 'none') <> 'none' as is_confined,
        c.tool_use_id, (r.payload->>'denied')::boolean as is_denied,
        (r.payload->>'isError')::boolean as is_error,
        (r.payload->>'exitCode')::int as exit_code, false as is_left_running, r.at as ended_at
      from events c
      join session s on s.organization_id = ${db.organizationId}::uuid and s.id = c.session_id
      left join attempt a on a.organization_id = ${db.organizationId}::uuid and a.id = c.attempt_id
      left join project_version v on v.organization_id = s.organization_id
        and v.project_id = s.project_id and v.version = s.project_version
      left join events r on r.kind = 'tool_result' and r.session_id = c.session_id
        and r.tool_use_id = c.tool_use_id
      where c.kind = 'tool_call'
      order by c.at, c.session_id, c.seq
      limit ${MAX_CALLS}`;
}

export function listCountedActions(db: TenantDb, sessionIds: readonly string[]) {
  return db.cooldownAction.findMany({
    where: { sessionId: { in: [...sessionIds] } },
    orderBy: { id: 'asc' },
    select: { sessionId: true, service: true, action: true, evidence: true },
  });
}
export type CountedActionRow = Awaited<ReturnType<typeof listCountedActions>>[number];

/**
 * Returns deliveries by their subject, which has an index; the chain doesn't.
 *
 * @param aboutIds of the chain and of its sessions, as the occasions name them
 */
export async function listChainDeliveries(
  db: TenantDb,
  aboutIds: readonly string[],
  eventTypes: readonly string[],
) {
  const endpoints = await db.webhookEndpoint.findMany({ select: { id: true, url: true } });
  const channels = await db.notificationChannel.findMany({ select: { id: true, name: true } });
  const rows = await db.webhookDelivery.findMany({
    where: {
      OR: [
        { endpointId: { in: endpoints.map((endpoint) => endpoint.id) } },
        { channelId: { in: channels.map((channel) => channel.id) } },
      ],
      occasion: { in: eventTypes.flatMap((type) => aboutIds.map((id) => `${type}:${id}`)) },
    },
    orderBy: { id: 'asc' },
  });
  const urls = new Map(endpoints.map((endpoint) => [endpoint.id, maskUrl(endpoint.url)]));
  const names = new Map(channels.map((channel) => [channel.id, channel.name]));
  return rows.map((row) => ({
    ...row,
    url: row.endpointId && (urls.get(row.endpointId) ?? ''),
    channel: row.channelId && (names.get(row.channelId) ?? ''),
  }));
}
export type ChainDeliveryRow = Awaited<ReturnType<typeof listChainDeliveries>>[number];
