import type { TenantScope } from '@/lib/platform/db/scope';
import type { TenantDb } from '@/lib/platform/db/tenant-db';
import { publish } from '@/lib/platform/domain-events';
import type { PendingJob } from '@/lib/platform/queue/enqueue';
import type { Budgets } from '@/lib/projects/schema';
import type { OutOfRange } from '@/lib/protocol/figures';
import type { AttemptRow } from '../attempt/data';
import { crossedBudgets, type Spending } from '../budget';
import { countLedger } from '../count-work';
import { budgetsCrossed } from '../domain-events';
import { type NewNotice, recordNotices } from '../events/notices';
import { bookLedger, getSpending, unbookAttempt } from '../ledger-data';
import type { EndPlan } from './end-plan';

/** How many figures out of range a notice names. */
const MAX_NAMED = 5;

/** The rows that a booking refers to. */
interface BookedRows {
  project: { id: string };
  chain: { id: string } | null;
  session: { id: string; tier: number };
  /** Set if it differs from the session's tier. */
  tier?: number;
  facts: { attempt: { isLate: boolean } };
}

/** Books an attempt's lines, and writes a notice if the attempt reported figures out of range. */
export async function writeLedger(
  db: TenantDb,
  attempt: AttemptRow,
  rows: BookedRows,
  plan: Pick<EndPlan, 'ledger' | 'priceTable' | 'result' | 'outOfRange'>,
  now: Date,
): Promise<void> {
  // What a late result changes was counted as an estimate, and a counter can't be lowered.
  if (rows.facts.attempt.isLate) unbookAttempt(db, attempt.id);
  else countLedger(db, attempt, rows.tier ?? rows.session.tier, plan.ledger);
  bookLedger(
    db,
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
      claimed: line.claimed,
      raw: plan.result?.modelUsage[line.model] ?? null,
    })),
    now,
  );
  const notices = outOfRangeNotice(plan.outOfRange, rows);
  recordNotices(db, notices, now);
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

/**
 * Books an attempt's lines and writes a notice for each budget that this booking crossed, even if
 * it is a late one.
 *
 * @param before what was spent before this booking
 * @returns jobs of the subscribers to crossed budgets, to enqueue after the commit
 */
export async function bookEnd(
  db: TenantDb,
  scope: TenantScope,
  attempt: AttemptRow,
  rows: BookedRows & { project: { id: string; name: string } },
  plan: Pick<EndPlan, 'ledger' | 'result' | 'outOfRange' | 'priceTable'>,
  { budgets, before }: { budgets: Budgets; before: Spending },
  now: Date,
): Promise<PendingJob[]> {
  await writeLedger(db, attempt, rows, plan, now);
  if (Object.values(budgets).every((limit) => limit === null)) return [];
  const { project, chain, session } = rows;
  const about = { projectId: project.id, chainId: chain?.id ?? null };
  const after = await getSpending(db, project.id, about.chainId, now);
  const crossed = crossedBudgets(before, after, budgets, project.name);
  if (crossed.length === 0) return [];
  const notices = crossed.map((notice) => ({ ...notice, ...about, sessionId: session.id }));
  recordNotices(db, notices, now);
  return publish(db, scope, budgetsCrossed, { ...about, crossed }, now);
}
