import type { TenantScope } from '@/lib/platform/db/scope';
import type { TenantDb } from '@/lib/platform/db/tenant-db';
import type { OutOfRange } from '@/lib/protocol/figures';
import type { AttemptRow } from '../attempt/data';
import { bookLedger, unbookAttempt } from '../budget/data';
import { type NewNotice, recordNotices } from '../events/notices';
import type { EndPlan } from './end-plan';

/** Figures out of range that a notice names. */
const MAX_NAMED = 5;

/** What is booked, and under what. */
interface BookedRows {
  project: { id: string };
  chain: { id: string } | null;
  session: { id: string; tier: number };
  /** Other than the session's. */
  tier?: number;
  facts: { attempt: { isLate: boolean } };
}

/** Books an attempt's lines, and writes a notice where figures that it reported were out of range. */
export async function writeLedger(
  db: TenantDb,
  scope: TenantScope,
  attempt: AttemptRow,
  rows: BookedRows,
  plan: Pick<EndPlan, 'ledger' | 'priceTable' | 'result' | 'outOfRange'>,
  now: Date,
): Promise<void> {
  if (rows.facts.attempt.isLate) await unbookAttempt(db, scope.organizationId, attempt.id);
  await bookLedger(
    db,
    scope.organizationId,
    plan.ledger.map((line) => ({
      projectId: rows.project.id,
      chainId: rows.chain?.id ?? null,
      sessionId: rows.session.id,
      attemptId: attempt.id,
      tier: rows.tier ?? rows.session.tier,
      model: line.model,
      inputTokens: line.inputTokens,
      outputTokens: line.outputTokens,
      cacheReadTokens: line.cacheReadTokens,
      cacheWriteTokens: line.cacheWriteTokens,
      costMicros: Math.round(line.costUsd * 1_000_000),
      source: line.source,
      priceTable: line.isEstimate ? plan.priceTable : null,
      raw: plan.result?.modelUsage[line.model] ?? null,
    })),
    now,
  );
  const notices = outOfRangeNotice(plan.outOfRange, rows);
  await recordNotices(db, scope.organizationId, notices, now);
}

function outOfRangeNotice(outOfRange: OutOfRange, rows: BookedRows): NewNotice[] {
  if (outOfRange.length === 0) return [];
  const figures = outOfRange.slice(0, MAX_NAMED).map(({ figure, value }) => `${figure} ${value}`);
  const more = outOfRange.length > MAX_NAMED ? ` and ${outOfRange.length - MAX_NAMED} more` : '';
  return [
    {
      projectId: rows.project.id,
      chainId: rows.chain?.id ?? null,
      sessionId: rows.session.id,
      level: 'warning',
      code: 'FIGURE_OUT_OF_RANGE',
      message: `The agent or its runner reported figures that can't be right: ${figures.join(', ')}${more}. They count as unknown, and costs that follow from them are estimates.`,
    },
  ];
}
