/** How an attempt ended, what that means for its conversation, and whether it may be repeated. */
import type { InitEvent, ResultEvent } from '@/lib/protocol/events';
import type { AttemptResult } from '@/lib/protocol/schema';
import type { StartSpec } from '@/lib/protocol/spec';

export const ATTEMPT_ENDS = [
  'completed',
  'resume_rejected',
  'context_exhausted',
  'history_unreplayable',
  'work_dir_changed',
  'transcript_changed',
  'seal_unavailable',
  'agent_changed',
  'auth',
  'rate_limited',
  'overloaded',
  'max_turns',
  'max_budget',
  'stalled',
  'timed_out',
  'stopped',
  'killed',
  'crashed',
  'lost',
  'start_failed',
  'report_missing',
  'unreachable',
  'bad_request',
  'refused_by_model',
  'disk_full',
  'waiting_for_approval',
  'unknown',
] as const;
export type AttemptEnd = (typeof ATTEMPT_ENDS)[number];

/** Everything the classification looks at; nothing else decides. */
export interface AttemptEndFacts
  extends Pick<
    AttemptResult,
    'startError' | 'exit' | 'stopCause' | 'stderrTail' | 'transcriptSeen'
  > {
  start: Pick<StartSpec, 'purpose' | 'model' | 'cliSessionId' | 'continuation' | 'limits'>;
  /** Shown in texts. */
  runner: string;
  init: InitEvent | null;
  /** All of them; the last counts. */
  results: ResultEvent[];
  /** Whether the last result's structured output satisfies the report's schema. */
  hasValidReport: boolean;
  isReportRequired: boolean;
  /** Of the last `rate_limit` event that is a rejection: seconds since the epoch. */
  rateLimitResetsAt: number | null;
  /** How often the CLI itself retried a request that the provider answered with 429. */
  rateLimitRetries: number;
  endedAt: Date;
}

/**
 * `kept`: this attempt's conversation can be continued. `retired`: neither this one nor the one
 * it resumed may be continued. `none`: no conversation came into being; a resumed one stays.
 */
export type PointerFate = 'kept' | 'retired' | 'none';

/**
 * What a repetition is worth. It says nothing on whether one is allowed: an attempt that may
 * have changed something is never repeated blindly, and no end is repeated twice.
 */
export type Retry = { kind: 'none' } | { kind: 'once' } | { kind: 'after'; seconds: number };

/** What people read. What follows the end is not in it: that is decided later, and said with it. */
export interface EndText {
  /** What happened, and why. */
  happened: string;
  /** What to do about it; empty where there is nothing. */
  advice: string;
}

/** An end by its name, and what it means. */
export interface NamedEnd extends EndText {
  end: AttemptEnd;
  pointer: PointerFate;
  retry: Retry;
}

export interface ClassifiedEnd extends NamedEnd {
  /**
   * The process was interrupted during a tool call, so that the call may still act although the
   * conversation has a result of it.
   */
  isCallInterrupted: boolean;
}

/** Joins sentences to one line, without empty ones. */
export function joinSentences(...sentences: readonly string[]): string {
  return sentences.filter((sentence) => sentence !== '').join(' ');
}
