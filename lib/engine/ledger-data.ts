import { v7 as uuidv7 } from 'uuid';
import type { ClaimedUsage, LedgerSource } from '@/lib/agents/booking';
import { beforeCommit } from '@/lib/platform/db/raw';
import { sqlChanges, sqlRows } from '@/lib/platform/db/sql';
import type { TenantDb } from '@/lib/platform/db/tenant-db';
import type { Spending } from './budget';

/** Returns what was spent. `chainId` null: the chain's part is 0. */
export async function getSpending(
  db: TenantDb,
  projectId: string,
  chainId: string | null,
  now: Date,
): Promise<Spending> {
  const [row] = await sqlRows(db)<{ chain: bigint; day: bigint; month: bigint }>`select
        (select coalesce(sum(cost_micros), 0)::bigint from ledger_entry
          where organization_id = ${db.organizationId}::uuid and chain_id = ${chainId}::uuid) as chain,
        coalesce(sum(cost_micros) filter (where day = ${utcDay(now)}::date), 0)::bigint as day,
        coalesce(sum(cost_micros), 0)::bigint as month
      from daily_usage
      where organization_id = ${db.organizationId}::uuid and project_id = ${projectId}::uuid and day >= ${utcMonth(now)}::date`;
  return {
    chainMicros: Number(row?.chain ?? 0),
    dayMicros: Number(row?.day ?? 0),
    monthMicros: Number(row?.month ?? 0),
  };
}

interface NewLedgerEntry {
  projectId: string;
  /** Null for a turn of a conversation. */
  chainId: string | null;
  sessionId: string;
  attemptId: string;
  tier: number;
  model: string;
  inputTokens: number;
  outputTokens: number;
  cacheReadTokens: number;
  cacheWriteTokens: number;
  costMicros: number;
  source: LedgerSource;
  priceTable: string | null;
  claimed: ClaimedUsage | null;
  raw: unknown;
}

/** Books an attempt's lines, and updates the daily rollup in the same statement. */
export function bookLedger(db: TenantDb, entries: readonly NewLedgerEntry[], now: Date): void {
  if (entries.length === 0) return;
  const rows = entries.map((entry) => ({ id: uuidv7(), ...entry }));
  const write = sqlChanges(db)`with entry as (
        select * from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as t(
          id uuid, "projectId" uuid, "chainId" uuid, "sessionId" uuid, "attemptId" uuid, tier int, model text,
          "inputTokens" bigint, "outputTokens" bigint, "cacheReadTokens" bigint, "cacheWriteTokens" bigint,
          "costMicros" bigint, source text, "priceTable" text, claimed jsonb, raw jsonb)
      ), booked as (
        insert into ledger_entry (id, organization_id, project_id, chain_id, session_id, attempt_id, tier, model,
          input_tokens, output_tokens, cache_read_tokens, cache_write_tokens, cost_micros, source, is_estimate, price_table, claimed, raw, booked_at)
        select id, ${db.organizationId}::uuid, "projectId", "chainId", "sessionId", "attemptId", tier, model,
          "inputTokens", "outputTokens", "cacheReadTokens", "cacheWriteTokens", "costMicros", source, source not in ('metered', 'reported'), "priceTable",
          nullif(claimed, 'null'::jsonb), raw,
          ${now}::timestamptz
        from entry
      )
      insert into daily_usage (organization_id, project_id, day, tier, model, cost_micros, tokens)
      select ${db.organizationId}::uuid, "projectId", ${utcDay(now)}::date, tier, model,
        sum("costMicros"), sum("inputTokens" + "outputTokens" + "cacheReadTokens" + "cacheWriteTokens")
      from entry group by "projectId", tier, model order by model
      on conflict (organization_id, project_id, day, tier, model)
      do update set cost_micros = daily_usage.cost_micros + excluded.cost_micros, tokens = daily_usage.tokens + excluded.tokens`;
  beforeCommit(db, write);
}

/** Returns a UTC day in PostgreSQL's format for dates. */
function utcDay(at: Date): string {
  return at.toISOString().slice(0, 10);
}

function utcMonth(at: Date): string {
  return `${at.toISOString().slice(0, 7)}-01`;
}

/** Removes what an attempt had booked, so that a later and better figure can be booked instead. */
export function unbookAttempt(db: TenantDb, attemptId: string): void {
  const write = sqlChanges(db)`with gone as (
        delete from ledger_entry where organization_id = ${db.organizationId}::uuid and attempt_id = ${attemptId}::uuid returning *
      ), sums as (
        select project_id, (booked_at at time zone 'UTC')::date as day, tier, model, sum(cost_micros) as cost,
          sum(input_tokens + output_tokens + cache_read_tokens + cache_write_tokens) as tokens
        from gone group by 1, 2, 3, 4
      )
      update daily_usage u set cost_micros = u.cost_micros - s.cost, tokens = u.tokens - s.tokens
      from sums s where u.organization_id = ${db.organizationId}::uuid and u.project_id = s.project_id
        and u.day = s.day and u.tier = s.tier and u.model = s.model`;
  beforeCommit(db, write);
}
