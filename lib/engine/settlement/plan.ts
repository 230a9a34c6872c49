/**
 * Everything that the end of an attempt leads to, decided before anything is written. Pure: the
 * same facts give the same plan, however often the worker is killed in between.
 */

import type { AttemptEnd, ClassifiedEnd } from '@/lib/agents/attempt-end';
import { classifyAttemptEnd } from '@/lib/agents/claude/classify';
import type { StartedWith } from '@/lib/agents/claude/in-flight';
import type { BookedLine } from '@/lib/agents/claude/usage';
import { bookAttempt, lastContextTokens } from '@/lib/agents/claude/usage';
import type { Level, ResultEvent, RunnerEvent } from '@/lib/protocol/events';
import type { OutOfRange } from '@/lib/protocol/figures';
import { type ParsedReport, parseReport, type TierReport } from '@/lib/protocol/report';
import type { ChainEnd } from '../chains/service/end-chain';
import { isFallbackEnd } from '../continuation/fallbacks';
import type { Handoff } from '../continuation/handoff/schema';
import { type AfterEnd, decideAfterEnd } from '../continuation/retry';
import { eventLogOf } from '../continuation/tool-calls';
import { afterCompletion } from './after-completion';
import { afterFailure } from './after-failure';
import { afterReconcile } from './after-reconcile';
import type { EndFacts, SettlementFacts } from './facts';
import { toolCallsOf } from './tool-calls';

export interface PlannedNotice {
  level: Level;
  code: string;
  message: string;
}

export type NextStep =
  | { kind: 'none' }
  | {
      kind: 'attempt';
      purpose: 'tier' | 'reconcile';
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

/** What an attempt leaves behind, whatever it was for. */
export interface EndPlan {
  classified: ClassifiedEnd;
  ledger: readonly BookedLine[];
  /** Figures of the attempt's events that count as unknown. */
  outOfRange: OutOfRange;
  result: ResultEvent | null;
  contextTokens: number | null;
  contextWindow: number | null;
  /** Null: no conversation to continue came out of it. */
  pointer: 'confirmed' | 'retired' | null;
  /** The resumed conversation must not be offered again. */
  retiresParentFor: string | null;
}

export interface SettlementPlan extends EndPlan {
  report: TierReport | null;
  /** Null for a late result, which changes no state. */
  step: SettlementStep | null;
}

export function planSettlement(facts: SettlementFacts, now: Date): SettlementPlan {
  const report = reportOf(facts.events);
  const end = planEnd(facts, report);
  const shared = { ...end, report: report.ok ? report.report : null };
  if (facts.attempt.isLate) return { ...shared, step: null };
  return { ...shared, step: planStep(facts, end.classified, report, end.ledger, now) };
}

/** `report`: null where none is expected. */
export function planEnd(facts: EndFacts, report: ParsedReport | null): EndPlan {
  const results = facts.events.filter((event) => event.kind === 'result');
  const result = results.at(-1) ?? null;
  const classified = classify(facts, results, report);
  const resumed = facts.attempt.start?.continuation.mode === 'resume';
  return {
    classified,
    ledger: bookAttempt(
      facts.events,
      resumed ? { reported: facts.parent?.reported ?? null } : null,
      startedWith(facts),
    ),
    outOfRange: outOfRangeIn(facts.events),
    result,
    contextTokens: lastContextTokens(facts.events),
    contextWindow: windowOf(facts, result),
    pointer: pointerOf(classified),
    retiresParentFor: resumed && isFallbackEnd(classified.end) ? classified.end : null,
  };
}

export function startedWith({
  attempt,
  parent,
}: Pick<EndFacts, 'attempt' | 'parent'>): StartedWith {
  const { prompt = '', systemPrompt = '' } = attempt.start ?? {};
  return {
    promptChars: prompt.length + systemPrompt.length,
    contextTokens: parent?.contextTokens ?? null,
  };
}

export function outOfRangeIn(events: readonly RunnerEvent[]): OutOfRange {
  return events.flatMap((event) => ('outOfRange' in event ? (event.outOfRange ?? []) : []));
}

/** As the last result event holds it. */
export function reportOf(events: readonly RunnerEvent[]): ParsedReport {
  return parseReport(events.findLast((event) => event.kind === 'result')?.structuredOutput);
}

/** Starts that the host or the CLI refused before any work began: they don't count as attempts. */
export const NEVER_BEGAN: readonly AttemptEnd[] = [
  'resume_rejected',
  'work_dir_changed',
  'transcript_changed',
  'agent_changed',
];

function classify(
  facts: EndFacts,
  results: ResultEvent[],
  report: ParsedReport | null,
): ClassifiedEnd {
  const start = facts.attempt.start;
  if (!start) throw new Error('An attempt without a start cannot have ended by itself.');
  return classifyAttemptEnd({
    startError: facts.result.startError,
    exit: facts.result.exit,
    stopCause: facts.result.stopCause,
    stderrTail: facts.result.stderrTail,
    transcriptSeen: facts.result.transcriptSeen,
    start,
    runner: facts.runnerName,
    init: facts.events.findLast((event) => event.kind === 'init') ?? null,
    results,
    hasValidReport: report?.ok ?? false,
    isReportRequired: report !== null,
    ...rateLimitIn(facts.events),
    endedAt: new Date(facts.result.endedAt),
  });
}

/** A limit that only warns doesn't tell when the one that refused a request resets. */
function rateLimitIn(events: readonly RunnerEvent[]) {
  const limits = events.flatMap((event) =>
    event.kind === 'rate_limit' && event.status === 'rejected' ? [event.resetsAt] : [],
  );
  const retries = events.filter((event) => event.kind === 'api_retry' && event.status === 429);
  return { rateLimitResetsAt: limits.at(-1) ?? null, rateLimitRetries: retries.length };
}

function pointerOf(classified: ClassifiedEnd): 'confirmed' | 'retired' | null {
  if (classified.pointer === 'kept') return 'confirmed';
  return classified.pointer === 'retired' ? 'retired' : null;
}

/** The window of the model that ran, as the CLI reported it; a fork lists its parents' models too. */
function windowOf(facts: EndFacts, result: ResultEvent | null): number | null {
  const model = facts.events.findLast((event) => event.kind === 'init')?.model;
  if (!result || !model) return null;
  const entry = Object.entries(result.modelUsage).find(
    ([name]) => name === model || name === `${model}[1m]`,
  );
  return entry?.[1].contextWindow ?? null;
}

function planStep(
  facts: SettlementFacts,
  classified: ClassifiedEnd,
  report: ParsedReport,
  ledger: readonly BookedLine[],
  now: Date,
): SettlementStep {
  const calls = toolCallsOf(facts.events);
  const after = decideAfterEnd({
    end: classified.end,
    retry: classified.retry,
    tier: facts.session.tier,
    purpose: facts.attempt.purpose,
    startMode: facts.attempt.startMode,
    toolCalls: calls,
    eventLog: eventLogOf(classified.end, facts.attempt.isReported ? facts.result : null),
    hasEarlierChange: facts.earlier.some((attempt) => attempt.mayHaveActed),
    hasFallenBack:
      facts.earlier.some((attempt) => attempt.onlyMode === 'handoff') ||
      facts.attempt.onlyMode === 'handoff',
    retriesUsed: facts.earlier.filter(
      (attempt) => attempt.purpose === 'tier' && !NEVER_BEGAN.includes(attempt.end),
    ).length,
    hasReconciled: facts.earlier.some((attempt) => attempt.purpose === 'reconcile'),
    canReconcile: facts.session.tier > 1,
    reconciledEnd:
      facts.attempt.purpose === 'reconcile' ? (facts.earlier.at(-1)?.end ?? null) : null,
  });
  const step = stepAfter(after);
  return facts.chain.isStopRequested ? stopped(step) : step;

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

/** A person asked the chain to stop while this attempt ran to its end: nothing starts after it. */
function stopped(step: SettlementStep): SettlementStep {
  if (step.next.kind === 'none') return step;
  const statusText = 'Stopped: nothing further starts.';
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
