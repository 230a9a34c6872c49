import type { AttemptEnd, AttemptEndFacts, ClassifiedEnd } from '@/lib/agents/attempt-end';
import {
  type BookedLine,
  lastContextTokens,
  type ModelUsages,
  type StartedWith,
} from '@/lib/agents/booking';
import { AGENTS } from '@/lib/agents/registry';
import type { ResultEvent, RunnerEvent } from '@/lib/protocol/events';
import type { OutOfRange } from '@/lib/protocol/figures';
import type { ParsedReport } from '@/lib/protocol/report';
import type { AttemptResult } from '@/lib/protocol/schema';
import type { StartSpec } from '@/lib/protocol/spec';
import { isFallbackEnd } from '../continuation/reasons';

/** What the end of an attempt leads to, for every kind of work. */
export interface EndPlan {
  classified: ClassifiedEnd;
  ledger: readonly BookedLine[];
  /** The table that estimates in it are priced by. */
  priceTable: string;
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
  const { start } = facts.attempt;
  if (!start) throw new Error('An attempt without a start cannot have ended on its own.');
  const agent = AGENTS[start.harness];
  const results = facts.events.filter((event) => event.kind === 'result');
  const result = results.at(-1) ?? null;
  const classified = agent.classifyEnd(endFacts(facts, start, results, report));
  const resumed = start.continuation.mode === 'resume';
  return {
    classified,
    ledger: agent.book(
      facts.events,
      resumed ? { reported: facts.parent?.reported ?? null } : null,
      startedWith(facts),
    ),
    priceTable: agent.prices.measuredOn,
    outOfRange: outOfRangeIn(facts.events),
    result,
    contextTokens: lastContextTokens(facts.events),
    contextWindow: agent.contextWindow(facts.events),
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

/** Ends that the host or the CLI caused before any work began. */
export const ENDS_BEFORE_WORK: readonly AttemptEnd[] = [
  'resume_rejected',
  'work_dir_changed',
  'transcript_changed',
  'seal_unavailable',
  'agent_changed',
];

/** Ends after which another attempt is no retry. A conversation continues after a wait for approval. */
export const NOT_COUNTED_AS_RETRY: readonly AttemptEnd[] = [
  ...ENDS_BEFORE_WORK,
  'waiting_for_approval',
];

function endFacts(
  facts: EndFacts,
  start: StartSpec,
  results: ResultEvent[],
  report: ParsedReport | null,
): AttemptEndFacts {
  return {
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
  };
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
