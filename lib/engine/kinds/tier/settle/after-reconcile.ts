import { type ClassifiedEnd, joinSentences } from '@/lib/agents/attempt-end';
import type { AfterEnd } from '@/lib/engine/continuation/retry';
import { decideReconciled } from '@/lib/engine/escalation/reconciled';
import type { ParsedReport } from '@/lib/protocol/report';
import { startedFor } from './after-failure';
import type { SettlementFacts } from './facts';
import type { SettlementStep } from './plan';

/**
 * Decides what follows an observe-only attempt: the session keeps the end of the attempt that was
 * examined, and the chain ends by what was found.
 */
export function afterReconcile(
  facts: SettlementFacts,
  classified: ClassifiedEnd,
  after: Extract<AfterEnd, { kind: 'reconciled' }>,
  report: ParsedReport,
): SettlementStep {
  const { tier } = facts.session;
  const ownChecks = facts.events.filter((event) => event.kind === 'check_result');
  const found = decideReconciled({
    tier,
    report: classified.end === 'completed' && report.ok ? report.report : null,
    failure: classified.happened,
    startedFor: startedFor(facts),
    checks: [...facts.earlierChecks, ...ownChecks],
    ownChecks,
  });
  const original = facts.earlier.at(-1)?.endText || `Tier ${tier} didn't finish.`;
  const chainText = joinSentences(`Tier ${tier} didn't finish.`, found.sentence);
  return {
    decision: {
      kind: 'after_end',
      verdict: 'end',
      reason: found.reason,
      sentence: chainText,
    },
    session: {
      status: after.sessionStatus,
      statusText: joinSentences(original, found.sentence),
      isEnded: true,
    },
    handoff: null,
    next: { kind: 'none' },
    chainEnd: {
      outcome: found.outcome,
      reason: found.reason,
      statusText: chainText,
      summary: found.summary,
      servicesAffected: found.services,
    },
    notices: [
      {
        level: found.outcome === 'healthy' ? 'warning' : 'critical',
        code: found.reason,
        message: chainText,
      },
    ],
  };
}
