/**
 * Plans everything that the end of an attempt leads to, before anything is written. Pure: the same
 * facts give the same plan, however often the worker is killed in between.
 */

import { type ClassifiedEnd, joinSentences } from '@/lib/agents/attempt-end';
import type { BookedLine } from '@/lib/agents/booking';
import type { Handoff } from '@/lib/engine/continuation/handoff/schema';
import { type AfterEnd, decideAfterEnd } from '@/lib/engine/continuation/retry';
import { type EndPlan, NOT_COUNTED_AS_RETRY, planEnd } from '@/lib/engine/ending/end-plan';
import { silenceFacts } from '@/lib/engine/ending/tool-calls';
import { decideReconciled } from '@/lib/engine/escalation/reconciled';
import { sanitizeReport } from '@/lib/engine/escalation/sanitize-report';
import { approvalGate } from '@/lib/engine/start-policy/approval-gate';
import { asSentence } from '@/lib/engine/start-policy/gate';
import type { ChainEnd } from '@/lib/engine/status-data';
import { namesOfServices } from '@/lib/projects/service-names';
import type { Level, RunnerEvent } from '@/lib/protocol/events';
import { type ParsedReport, parseReport, type TierReport } from '@/lib/protocol/report';
import type { ServiceSpec } from '@/lib/protocol/spec';
import { afterCompletion } from './after-completion';
import { afterFailure, startedFor } from './after-failure';
import type { RefusedCommand, SettlementFacts } from './facts';

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

/**
 * Ends the chain after a step, because a person has refused a command of the session and the project's
 * settings end the chain then. What the step says about the attempt stays; nothing else starts, except an
 * observe-only check of what may have changed: the chain ends after that.
 */
function afterRefusal(
  facts: SettlementFacts,
  refused: RefusedCommand,
  step: SettlementStep,
  classified: ClassifiedEnd,
  report: ParsedReport,
): SettlementStep {
  const { next, chainEnd } = step;
  if (next.kind === 'attempt' && next.purpose === 'reconcile') return step;
  // A person has stopped it.
  if (chainEnd?.outcome === 'stopped') return step;
  const { tier } = facts.session;
  const gate = approvalGate({ tier, approval: { kind: 'refused', ...refused } });
  if (gate === null) throw new Error('A refused command closes no gate.');
  const because = `${asSentence(gate.because)} The project’s settings end the chain after that.`;
  const before = next.kind === 'attempt' ? classified.happened : (chainEnd?.statusText ?? '');
  const statusText = joinSentences(before, because);
  const summary = report.ok ? report.report.summary : '';
  const services =
    chainEnd?.servicesAffected ?? step.handoff?.payload.services_affected ?? startedFor(facts);
  return {
    decision: { kind: 'after_end', verdict: 'end', reason: gate.code, sentence: statusText },
    session: sessionAfter(step, statusText, summary),
    handoff: null,
    next: { kind: 'none' },
    chainEnd: {
      outcome: 'needs_human',
      reason: gate.code,
      statusText,
      summary: chainEnd?.summary ?? summary,
      servicesAffected: [...new Set([...services, ...refused.services])],
    },
    notices: [
      // One that announces the next start is not true now.
      ...step.notices.filter(
        ({ message }) => next.kind === 'none' || message !== step.decision.sentence,
      ),
      { level: 'critical', code: gate.code, message: because },
    ],
  };
}

function sessionAfter(
  { next, session }: SettlementStep,
  statusText: string,
  summary: string,
): SettlementStep['session'] {
  switch (next.kind) {
    case 'none':
      return session;
    case 'session':
      return { status: 'completed', statusText: summary || statusText, isEnded: true };
    case 'attempt':
      return { status: 'refused', statusText, isEnded: true };
  }
}
