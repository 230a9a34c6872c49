import type { TenantScope } from '@/lib/platform/db/scope';
import type { TenantDb } from '@/lib/platform/db/tenant-db';
import { env } from '@/lib/platform/env';
import type { AttemptResult } from '@/lib/protocol/schema';
import { returnFromStart } from '../../../approvals/start-use';
import { withdrawPending } from '../../../approvals/withdraw';
import type { AttemptRow } from '../../../attempt/data';
import { countAttempt } from '../../../count-work';
import { writePointer, writeWindow } from '../../../ending/data';
import { ENDS_BEFORE_WORK } from '../../../ending/end-plan';
import { reportChangedConversation } from '../../../ending/report-changed-conversation';
import { bookEnd } from '../../../ending/write-ledger';
import type { FollowUp } from '../../../follow-up';
import { endAttempt } from '../../../status-data';
import { loadSettlementFacts } from './load-facts';
import { planSettlement } from './plan';
import { writeStep } from './write-step';

/** Settles the locked attempt of a tier: plans what follows and writes it. */
export async function settleTier(
  db: TenantDb,
  scope: TenantScope,
  attempt: AttemptRow,
  result: AttemptResult,
  now: Date,
): Promise<FollowUp> {
  const rows = await loadSettlementFacts(db, attempt, result, env(), now);
  const plan = planSettlement(rows.facts, now);
  const { live, spending } = rows.facts;
  const money = { budgets: live.budgets, before: spending };
  const warned = await bookEnd(db, scope, attempt, rows, plan, money, now);
  endAttempt(db, attempt, result, plan, now);
  if (plan.step) countAttempt(db, rows.session.tier, plan.classified.end);
  await writePointer(db, attempt, rows, plan, now);
  writeWindow(db, rows, plan, now);
  if (plan.classified.end !== 'waiting_for_approval') {
    await withdrawPending(db, scope, { attemptId: attempt.id }, now);
  }
  const hasWorked = rows.facts.events.some(
    ({ kind }) => kind === 'tool_call' || kind === 'brokered',
  );
  if (ENDS_BEFORE_WORK.includes(plan.classified.end) && !hasWorked) {
    await returnFromStart(db, scope, attempt);
  }
  await reportChangedConversation(db, scope, rows, plan, now);
  if (!plan.step) return { attempt: null, jobs: warned };
  const followUp = await writeStep(db, scope, attempt, rows, plan, plan.step, now);
  return { ...followUp, jobs: [...warned, ...followUp.jobs] };
}
