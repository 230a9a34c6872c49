import { type RawBuilder, sql } from 'kysely';
import type { OrganizationId } from '@/lib/platform/db/scope';
import { rowsOf } from '@/lib/platform/db/sql';
import type { TenantDb } from '@/lib/platform/db/tenant-db';
import type {
  ApprovalFacts,
  AttemptFacts,
  ChainFacts,
  CommandFacts,
  RequestFacts,
  SessionFacts,
  ToolFacts,
} from './chain-facts';

/** Events of a chain that are read for its trace. */
const MAX_EVENTS = 20_000;

/**
 * Reads what the trace of an ended chain is made of: by index, and of the streams only the events that
 * become spans, without their texts.
 *
 * @returns null if the chain is gone, or hasn't ended
 */
export async function findChainFacts(db: TenantDb, chainId: string): Promise<ChainFacts | null> {
  const chain = await db.chain.findFirst({
    where: { id: chainId },
    include: { project: { select: { slug: true } } },
  });
  if (!chain?.endedAt) return null;
  const sessions = await rowsOf(db, sessionsSql(db.organizationId, chainId));
  const ids = sessions.map(({ id }) => id);
  const attempts = await rowsOf(db, attemptsSql(db.organizationId, ids));
  const commands = await rowsOf(db, commandsSql(db.organizationId, ids));
  const approvals = await rowsOf(db, approvalsSql(db.organizationId, chainId));
  const events = await rowsOf(db, eventsSql(db.organizationId, ids));
  return {
    chain: { ...chain, endedAt: chain.endedAt, project: chain.project.slug },
    sessions,
    attempts,
    commands,
    approvals,
    requests: requestsOf(events),
    tools: toolsOf(events),
    isCut: events.length === MAX_EVENTS,
  };
}

function sessionsSql(organizationId: OrganizationId, chainId: string): RawBuilder<SessionFacts> {
  return sql`select id, number, tier, parent_session_id as "parentSessionId", status, model, mechanism,
      cli_session_id as "cliSessionId", created_at as "createdAt", started_at as "startedAt", ended_at as "endedAt",
      (select coalesce(sum(l.cost_micros), 0) / 1e6 from ledger_entry l
        where l.organization_id = s.organization_id and l.session_id = s.id)::float8 as "costUsd"
    from session s where organization_id = ${organizationId}::uuid and chain_id = ${chainId}::uuid order by id`;
}

function attemptsSql(
  organizationId: OrganizationId,
  sessionIds: string[],
): RawBuilder<AttemptFacts> {
  return sql`select a.id, a.session_id as "sessionId", a.number, a.purpose, a.end_kind as "end",
      a.start->>'harness' as harness, r.name as runner, a.confinement, a.exit_code as "exitCode",
      a.claimed_at as "claimedAt", a.started_at as "startedAt", a.ended_at as "endedAt"
    from attempt a left join runner r on r.organization_id = a.organization_id and r.id = a.runner_id
    where a.organization_id = ${organizationId}::uuid and a.session_id = any(${sessionIds}::uuid[])
    order by a.session_id, a.number`;
}

function commandsSql(
  organizationId: OrganizationId,
  sessionIds: string[],
): RawBuilder<CommandFacts> {
  return sql`select attempt_id as "attemptId", number, attempt_seq as "attemptSeq",
      coalesce(argv->>0, '') as program, may_change as "mayChange", state, refusal_code as "refusalCode",
      exit_code as "exitCode", signal, requested_at as "requestedAt", ended_at as "endedAt",
      exists (select from approval a where a.organization_id = c.organization_id and a.session_id = c.session_id
        and a.grantee_id = c.attempt_id and a.used_number = c.number) as "isApproved"
    from command c
    where organization_id = ${organizationId}::uuid and session_id = any(${sessionIds}::uuid[])
    order by id limit ${MAX_EVENTS}`;
}

function approvalsSql(organizationId: OrganizationId, chainId: string): RawBuilder<ApprovalFacts> {
  return sql`select id, kind, status, session_id as "sessionId", attempt_id as "attemptId",
      command_number as "commandNumber", requested_at as "requestedAt", decided_at as "decidedAt"
    from approval where organization_id = ${organizationId}::uuid and chain_id = ${chainId}::uuid
    order by id limit ${MAX_EVENTS}`;
}

/** One event that becomes a span, or a part of one; what it doesn't have is null. */
interface EventRow {
  attemptId: string;
  seq: number;
  kind: 'tool_call' | 'tool_result' | 'metered' | 'request_usage';
  at: Date;
  toolUseId: string | null;
  tool: string | null;
  parentToolUseId: string | null;
  isError: boolean | null;
  isDenied: boolean | null;
  messageId: string | null;
  model: string | null;
  inputTokens: number | null;
  outputTokens: number | null;
  cacheReadTokens: number | null;
  cacheWriteTokens: number | null;
  /** False for a request that was cut off. */
  isComplete: boolean | null;
  durationMs: number | null;
}

function eventsSql(organizationId: OrganizationId, sessionIds: string[]): RawBuilder<EventRow> {
  const numbers = ['inputTokens', 'outputTokens', 'cacheReadTokens', 'cacheWriteTokens'].map(
    (name) => sql`(payload->>${name})::float8 as ${sql.raw(`"${name}"`)}`,
  );
  return sql`select attempt_id as "attemptId", attempt_seq as seq, kind, at,
      payload->>'toolUseId' as "toolUseId", payload->>'tool' as tool, payload->>'parentToolUseId' as "parentToolUseId",
      (payload->>'isError')::boolean as "isError", (payload->>'denied')::boolean as "isDenied",
      payload->>'messageId' as "messageId", payload->>'model' as model, ${sql.join(numbers)},
      coalesce((payload->>'isComplete')::boolean, (payload->>'final')::boolean) as "isComplete",
      (payload->>'durationMs')::float8 as "durationMs"
    from session_event
    where organization_id = ${organizationId}::uuid and session_id = any(${sessionIds}::uuid[])
      and kind in ('tool_call', 'tool_result', 'metered', 'request_usage')
      and attempt_id is not null and attempt_seq is not null and not is_late
    order by session_id, seq limit ${MAX_EVENTS}`;
}

/** The gateway's requests of an attempt, or those that its agent reports: never both. */
function requestsOf(events: readonly EventRow[]): RequestFacts[] {
  const metered = new Set(
    events.flatMap(({ kind, attemptId }) => (kind === 'metered' ? attemptId : [])),
  );
  const byId = new Map<string, RequestFacts>();
  for (const event of events) {
    const source = metered.has(event.attemptId) ? 'metered' : 'request_usage';
    if (event.kind !== source || event.messageId === null) continue;
    // An agent reports a request again, with its final figures.
    byId.set(`${event.attemptId} ${event.messageId}`, {
      attemptId: event.attemptId,
      messageId: event.messageId,
      model: event.model ?? '',
      inputTokens: event.inputTokens ?? 0,
      outputTokens: event.outputTokens ?? 0,
      cacheReadTokens: event.cacheReadTokens ?? 0,
      cacheWriteTokens: event.cacheWriteTokens ?? 0,
      isComplete: event.isComplete ?? true,
      at: event.at,
      durationMs: event.durationMs,
    });
  }
  return [...byId.values()];
}

function toolsOf(events: readonly EventRow[]): ToolFacts[] {
  const keyOf = ({ attemptId, toolUseId }: EventRow) => `${attemptId} ${toolUseId}`;
  const results = new Map(
    events.flatMap((event) => (event.kind === 'tool_result' ? [[keyOf(event), event]] : [])),
  );
  return events.flatMap((event) => {
    if (event.kind !== 'tool_call' || event.toolUseId === null) return [];
    const result = results.get(keyOf(event));
    return {
      attemptId: event.attemptId,
      toolUseId: event.toolUseId,
      tool: event.tool ?? '',
      parentToolUseId: event.parentToolUseId,
      seq: event.seq,
      resultSeq: result?.seq ?? null,
      at: event.at,
      resultAt: result?.at ?? null,
      isError: result?.isError ?? false,
      isDenied: result?.isDenied ?? false,
    };
  });
}
