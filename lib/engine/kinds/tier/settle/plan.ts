/**
 * Plans everything that the end of an attempt leads to, before anything is written. Pure: the same
 * facts give the same plan, however often the worker is killed in between.
 */

import type { ClassifiedEnd } from '@/lib/agents/attempt-end';
import type { BookedLine } from '@/lib/agents/booking';
import type { Handoff } from '@/lib/engine/continuation/handoff/schema';
import { type AfterEnd, decideAfterEnd } from '@/lib/engine/continuation/retry';
import { type EndPlan, NOT_COUNTED_AS_RETRY, planEnd } from '@/lib/engine/ending/end-plan';
import { silenceFacts } from '@/lib/engine/ending/tool-calls';
import { sanitizeReport } from '@/lib/engine/escalation/sanitize-report';
import type { ChainEnd } from '@/lib/engine/status-data';
import { namesOfServices } from '@/lib/projects/service-names';
import type { Level, RunnerEvent } from '@/lib/protocol/events';
import { type ParsedReport, parseReport, type TierReport } from '@/lib/protocol/report';
import type { ServiceSpec } from '@/lib/protocol/spec';
import { afterCompletion } from './after-completion';
import { afterFailure } from './after-failure';
import { afterReconcile } from './after-reconcile';
import { afterRefusal } from './after-refusal';
import type { SettlementFacts } from './facts';

export interface PlannedNotice {
  level: Level;
  code: string;
  message: string;
}

export type NextStep =
  | { kind: 'none' }
  | {
      kind: 'attempt';
      purpose: 'tier' | 'reconcile' | 'continue' | 'approval';
      onlyMode: 'handoff' | null;
      afterSeconds: number;
    }
  | { kind: 'session'; tier: 2 | 3; model: string };

export interface SettlementStep {
  decision: {
    kind: 'escalation' | 'after_end';
    verdict: string;
    reason: string;
    sentence: string;
  };
  session: { status: string; statusText: string; isEnded: boolean };
  handoff: { toTier: 2 | 3; source: 'built' | 'file'; payload: Handoff } | null;
  next: NextStep;
  chainEnd: ChainEnd | null;
  notices: readonly PlannedNotice[];
}

export interface SettlementPlan extends EndPlan {
  report: TierReport | null;
  /** Null for a late result, which changes no state. */
  step: SettlementStep | null;
}

export function planSettlement(facts: SettlementFacts, now: Date): SettlementPlan {
  const report = reportOf(facts.events, facts.frozen.services);
  const end = planEnd(facts, report);
  const shared = { ...end, report: report.ok ? report.report : null };
  if (facts.attempt.isLate) return { ...shared, step: null };
  return { ...shared, step: planStep(facts, end.classified, report, end.ledger, now) };
}

/** Returns the report of the last result event, which names only these services. */
export function reportOf(
  events: readonly RunnerEvent[],
  services: readonly Pick<ServiceSpec, 'name'>[],
): ParsedReport {
  const result = events.findLast((event) => event.kind === 'result');
  return sanitizeReport(parseReport(result?.structuredOutput), namesOfServices(services));
}

function planStep(
  facts: SettlementFacts,
  classified: ClassifiedEnd,
  report: ParsedReport,
  ledger: readonly BookedLine[],
  now: Date,
): SettlementStep {
  const after = decideAfterEnd({
    end: classified.end,
    ...silenceFacts(classified, {
      isContinuation: facts.attempt.isContinuation,
      events: facts.events,
      harness: facts.attempt.start?.harness ?? null,
      reported: facts.attempt.isReported ? facts.result : null,
      earlier: facts.earlier,
    }),
    retry: classified.retry,
    tier: facts.session.tier,
    purpose: facts.attempt.purpose,
    startMode: facts.attempt.startMode,
    hasEarlierChange: facts.earlier.some((attempt) => attempt.mayHaveActed),
    hasFallenBack:
      facts.earlier.some((attempt) => attempt.onlyMode === 'handoff') ||
      facts.attempt.onlyMode === 'handoff',
    retriesUsed: facts.earlier.filter(
      (attempt) => attempt.purpose === 'tier' && !NOT_COUNTED_AS_RETRY.includes(attempt.end),
    ).length,
    hasReconciled: facts.earlier.some((attempt) => attempt.purpose === 'reconcile'),
    canReconcile: facts.session.tier > 1,
    reconciledEnd:
      facts.attempt.purpose === 'reconcile' ? (facts.earlier.at(-1)?.end ?? null) : null,
  });
  const step = stepAfter(after);
  if (facts.chain.isStopRequested) return stopped(step);
  return facts.refused ? afterRefusal(facts, facts.refused, step, classified, report) : step;

  function stepAfter(end: AfterEnd): SettlementStep {
    switch (end.kind) {
      case 'settle':
        return afterCompletion(facts, report, ledger, now);
      case 'reconciled':
        return afterReconcile(facts, classified, end, report);
      default:
        return afterFailure(facts, classified, end);
    }
  }
}

/** Returns the step after a stop request, if the attempt ran to its end anyway: nothing starts. */
function stopped(step: SettlementStep): SettlementStep {
  if (step.next.kind === 'none') return step;
  const statusText = 'Stopped. Nothing else starts.';
  return {
    ...step,
    session: {
      ...step.session,
      status: step.session.isEnded ? 'completed' : 'stopped',
      isEnded: true,
    },
    handoff: null,
    next: { kind: 'none' },
    chainEnd: {
      outcome: 'stopped',
      reason: 'STOPPED',
      statusText,
      summary: '',
      servicesAffected: step.chainEnd?.servicesAffected ?? [],
    },
    notices: [...step.notices, { level: 'info', code: 'STOPPED', message: statusText }],
  };
}
