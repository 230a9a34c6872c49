import { Prisma } from '@/generated/prisma/client';
import { type AttemptEnd, told } from '@/lib/agents/attempt-end';
import { toJson } from '@/lib/platform/db/json';
import { executeRaw, queryRaw } from '@/lib/platform/db/raw';
import type { OrganizationId } from '@/lib/platform/db/scope';
import type { TenantDb } from '@/lib/platform/db/tenant-db';
import type { RunnerEvent } from '@/lib/protocol/events';
import type { AttemptResult } from '@/lib/protocol/schema';
import type { AttemptRow } from '../attempts/data';
import type { SettlementFacts } from './facts';
import type { EndPlan } from './plan';

/** Kinds that a settlement reads; text and output of a long session stay where they are. */
const KINDS = [
  'init',
  'result',
  'request_usage',
  'tool_call',
  'tool_result',
  'check_result',
  'compaction',
  'api_retry',
  'rate_limit',
  'model_fallback',
];

/** Of all attempts of a session, late ones included; oldest first. */
export async function listSessionFacts(
  db: TenantDb,
  organizationId: OrganizationId,
  sessionId: string,
): Promise<{ attemptId: string | null; event: RunnerEvent }[]> {
  return queryRaw(
    db,
    Prisma.sql`select attempt_id as "attemptId", payload as event from session_event
      where organization_id = ${organizationId}::uuid and session_id = ${sessionId}::uuid and kind = any(${KINDS}::text[])
      order by seq`,
  );
}

export interface Surroundings {
  /** The session's attempts before this one. */
  earlier: {
    id: string;
    end: AttemptEnd | null;
    endText: string;
    purpose: string;
    onlyMode: string | null;
    /** Null when it was settled without its runner's result. */
    reported: Pick<AttemptResult, 'startError' | 'exit' | 'lastSeq'> | null;
  }[];
  /** What the conversation that was resumed had last reported about itself. */
  resumed: SettlementFacts['parent'];
}

/** `resumedCliSessionId`: of the conversation that the attempt resumed; null where it did not. */
export async function readSurroundings(
  db: TenantDb,
  organizationId: OrganizationId,
  attempt: { sessionId: string; number: number },
  resumedCliSessionId: string | null,
): Promise<Surroundings> {
  const [row] = await queryRaw<{
    earlier: Surroundings['earlier'];
    resumed: Surroundings['resumed'];
  }>(
    db,
    Prisma.sql`select
      (select coalesce(jsonb_agg(jsonb_build_object(
            'id', id, 'end', end_kind, 'endText', end_text, 'purpose', purpose, 'onlyMode', only_mode,
            'reported', case when is_result_late then null else result end) order by number), '[]')
        from attempt where organization_id = ${organizationId}::uuid
          and session_id = ${attempt.sessionId}::uuid and number < ${attempt.number}) as earlier,
      (select jsonb_build_object(
            'reported', a.reported_usage, 'depth', p.depth, 'cumulativeTokens', p.cumulative_tokens,
            'contextTokens', p.context_tokens)
        from pointer p join attempt a on a.organization_id = p.organization_id and a.id = p.attempt_id
        where p.organization_id = ${organizationId}::uuid and p.cli_session_id = ${resumedCliSessionId}
        order by p.id desc limit 1) as resumed`,
  );
  if (!row) throw new Error('PostgreSQL gave no answer.');
  const resumed = row.resumed ?? {
    reported: null,
    depth: 0,
    cumulativeTokens: null,
    contextTokens: null,
  };
  return {
    earlier: row.earlier,
    resumed: resumedCliSessionId === null ? null : resumed,
  };
}

/** How the attempt ended, and that it is settled. A late result (no step) leaves the end as it was. */
export async function endAttempt(
  db: TenantDb,
  attempt: AttemptRow,
  result: AttemptResult,
  plan: EndPlan & { step: unknown },
  now: Date,
): Promise<void> {
  const isLost = plan.classified.end === 'lost' && attempt.result === null;
  await db.attempt.updateMany({
    where: { id: attempt.id },
    data: {
      status: 'ended',
      ...(plan.step
        ? {
            end: plan.classified.end,
            endText: told(plan.classified.happened, plan.classified.advice),
            endedAt: new Date(result.endedAt),
          }
        : {}),
      // Whatever the lost runner still sends carries a number that is over.
      ...(isLost ? { fence: attempt.fence + 1 } : {}),
      settledAt: now,
      contextTokens: plan.contextTokens,
      contextWindow: plan.contextWindow,
      turns: plan.result?.numTurns ?? null,
      exitCode: result.exit?.code ?? null,
      exitSignal: result.exit?.signal ?? null,
      reportedUsage: plan.result ? toJson(plan.result.modelUsage) : Prisma.DbNull,
      reportedCostUsd: plan.result?.totalCostUsd ?? null,
    },
  });
}

/** Counts a try to settle that failed, and says when the next one is due. */
export async function countFailedTry(
  db: TenantDb,
  attempt: AttemptRow,
  retryAt: Date,
): Promise<void> {
  await db.attempt.updateMany({
    where: { id: attempt.id },
    data: { settleFailures: { increment: 1 }, settleRetryAt: retryAt },
  });
}

/** Takes back what an attempt had booked, so that a later and better figure can be booked instead. */
export async function unbookAttempt(
  db: TenantDb,
  organizationId: OrganizationId,
  attemptId: string,
): Promise<void> {
  await executeRaw(
    db,
    Prisma.sql`with gone as (
        delete from ledger_entry where organization_id = ${organizationId}::uuid and attempt_id = ${attemptId}::uuid returning *
      ), sums as (
        select project_id, (booked_at at time zone 'UTC')::date as day, tier, model, sum(cost_micros) as cost,
          sum(input_tokens + output_tokens + cache_read_tokens + cache_write_tokens) as tokens
        from gone group by 1, 2, 3, 4
      )
      update daily_usage u set cost_micros = u.cost_micros - s.cost, tokens = u.tokens - s.tokens
      from sums s where u.organization_id = ${organizationId}::uuid and u.project_id = s.project_id
        and u.day = s.day and u.tier = s.tier and u.model = s.model`,
  );
}
