import { Prisma } from '@/generated/prisma/client';
import { queryRaw } from '@/lib/platform/db/raw';
import type { OrganizationId } from '@/lib/platform/db/scope';
import type { TenantDb } from '@/lib/platform/db/tenant-db';

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
  session_id: string;
  tier: number;
  seq: number;
  tool: string;
  input: unknown;
  at: Date;
  is_denied: boolean | null;
  is_error: boolean | null;
  exit_code: number | null;
  ended_at: Date | null;
  tool_use_id: string;
}

/**
 * Calls with how they ended, in the order they were made. Outputs stay where they are: they are
 * what makes a log large.
 */
export function listCallRows(
  db: TenantDb,
  organizationId: OrganizationId,
  sessionIds: readonly string[],
): Promise<CallRow[]> {
  return queryRaw<CallRow>(
    db,
    Prisma.sql`with events as (
        select session_id, seq, kind, at, payload, payload->>'toolUseId' as tool_use_id
        from session_event
        where organization_id = ${organizationId}::uuid and session_id = any(${[...sessionIds]}::uuid[])
          and kind in ('tool_call', 'tool_result') and not is_late
      )
      select c.session_id, s.tier, c.seq, c.payload->>'tool' as tool, c.at,
        case when pg_column_size(c.payload->'input') < ${MAX_INPUT_BYTES} then c.payload->'input'
          else jsonb_strip_nulls(jsonb_build_object(
            'command', left(c.payload->'input'->>'command', ${MAX_INPUT_BYTES}),
            'file_path', c.payload->'input'->>'file_path')) end as input,
        c.tool_use_id, (r.payload->>'denied')::boolean as is_denied,
        (r.payload->>'isError')::boolean as is_error,
        (r.payload->>'exitCode')::int as exit_code, r.at as ended_at
      from events c
      join session s on s.organization_id = ${organizationId}::uuid and s.id = c.session_id
      left join events r on r.kind = 'tool_result' and r.session_id = c.session_id
        and r.tool_use_id = c.tool_use_id
      where c.kind = 'tool_call'
      order by c.at, c.session_id, c.seq
      limit ${MAX_CALLS}`,
  );
}

export function listCountedActions(db: TenantDb, sessionIds: readonly string[]) {
  return db.cooldownAction.findMany({
    where: { sessionId: { in: [...sessionIds] }, source: 'command' },
    orderBy: { id: 'asc' },
    select: { sessionId: true, service: true, action: true, evidence: true },
  });
}
export type CountedActionRow = Awaited<ReturnType<typeof listCountedActions>>[number];

/**
 * Found by what they are about, which has an index where the chain alone has none.
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
  const urls = new Map(endpoints.map((endpoint) => [endpoint.id, endpoint.url]));
  const names = new Map(channels.map((channel) => [channel.id, channel.name]));
  return rows.map((row) => ({
    ...row,
    url: row.endpointId && (urls.get(row.endpointId) ?? ''),
    channel: row.channelId && (names.get(row.channelId) ?? ''),
  }));
}
export type ChainDeliveryRow = Awaited<ReturnType<typeof listChainDeliveries>>[number];
