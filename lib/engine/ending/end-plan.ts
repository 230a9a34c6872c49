import type { AttemptEnd, ClassifiedEnd } from '@/lib/agents/attempt-end';
import { classifyAttemptEnd } from '@/lib/agents/claude/classify';
import type { StartedWith } from '@/lib/agents/claude/in-flight';
import {
  type BookedLine,
  bookAttempt,
  lastContextTokens,
  type ModelUsages,
} from '@/lib/agents/claude/usage';
import type { ResultEvent, RunnerEvent } from '@/lib/protocol/events';
import type { OutOfRange } from '@/lib/protocol/figures';
import type { ParsedReport } from '@/lib/protocol/report';
import type { AttemptResult } from '@/lib/protocol/schema';
import type { StartSpec } from '@/lib/protocol/spec';
import { isFallbackEnd } from '../continuation/fallbacks';

/** What the end of an attempt leads to, for every kind of work. */
export interface EndPlan {
  classified: ClassifiedEnd;
  ledger: readonly BookedLine[];
  /** Reported figures that count as unknown. */
  outOfRange: OutOfRange;
  result: ResultEvent | null;
  contextTokens: number | null;
  contextWindow: number | null;
  /** Null: the attempt left no conversation to continue. */
  pointer: 'confirmed' | 'retired' | null;
  /** The resumed conversation must not be offered again. */
  retiresParentFor: string | null;
}

/**
 * Plans the end of an attempt.
 *
 * @param report null if none is expected
 */
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

/** Ends that the host or the CLI caused before any work began. They don't count as attempts. */
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

/**
 * Returns the rate limit that refused a request. One that only warns doesn't tell when that one
 * resets.
 */
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

/**
 * Returns the context window of the model that ran, as the CLI reported it. A fork also lists its
 * parents' models.
 */
function windowOf(facts: EndFacts, result: ResultEvent | null): number | null {
  const model = facts.events.findLast((event) => event.kind === 'init')?.model;
  if (!result || !model) return null;
  const entry = Object.entries(result.modelUsage).find(
    ([name]) => name === model || name === `${model}[1m]`,
  );
  return entry?.[1].contextWindow ?? null;
}

/** The facts about the end of an attempt. */
export interface EndFacts {
  attempt: {
    /** Null if it was never claimed. */
    start: StartSpec | null;
    isLate: boolean;
  };
  runnerName: string;
  result: AttemptResult;
  /** All events of this attempt, oldest first. */
  events: readonly RunnerEvent[];
  /** Set if the attempt resumed a conversation. */
  parent: {
    reported: ModelUsages | null;
    depth: number;
    cumulativeTokens: number | null;
    /** Tokens in the conversation when its last process ended. */
    contextTokens: number | null;
  } | null;
}
