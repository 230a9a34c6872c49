/** What an attempt is booked as: shared by the agents, whose CLIs report usage differently. */
import type { RequestUsageEvent, RunnerEvent } from '@/lib/protocol/events';
import type { ModelUsage } from '@/lib/protocol/figures';
import type { TokenCounts } from './prices';

/** Raw totals of a result, by model name as the CLI names it. */
export type ModelUsages = Record<string, ModelUsage>;

/**
 * Where the figures of a ledger line come from. `metered`: the runner's gateway, which has counted
 * every request. `reported`: the CLI's own totals, excluding the parent's. `partly_estimated`: one of
 * those, and requests or a cost that they leave out, from the stream and the agent's price table.
 * `estimated`: the stream and the price table alone.
 */
export const LEDGER_SOURCES = ['metered', 'reported', 'partly_estimated', 'estimated'] as const;
export type LedgerSource = (typeof LEDGER_SOURCES)[number];

/** One line of the ledger. */
export interface BookedLine extends TokenCounts {
  model: string;
  costUsd: number;
  source: LedgerSource;
  /** Whether a part of the figures is estimated: false for `metered` and `reported`. */
  isEstimate: boolean;
  /** What the CLI itself says of the same requests. Null if it is the source, or said nothing. */
  claimed: ClaimedUsage | null;
}

/** Tokens and cost by the CLI's own account; null where it reported no cost that can be. */
export interface ClaimedUsage extends TokenCounts {
  costUsd: number | null;
}

/** The conversation that an attempt resumed. */
export interface ResumedParent {
  /** Raw totals of its last result; null when it never printed one. */
  reported: ModelUsages | null;
}

/** What a process was started with, where that is known. */
export interface StartedWith {
  /** Characters of the prompt and of the appended system prompt. */
  promptChars: number;
  /** Tokens in the conversation that it resumed; null where it resumed none, or it is not known. */
  contextTokens: number | null;
}

/** Requests by message id, each as last reported. */
export function requestsIn(events: Iterable<RunnerEvent>): Map<string, RequestUsageEvent> {
  const byId = new Map<string, RequestUsageEvent>();
  for (const event of events) {
    if (event.kind === 'request_usage') byId.set(event.messageId, event);
  }
  return byId;
}

/**
 * Tokens in the conversation's context after its last request; null before the first, and where a
 * token count of that request was out of range. A sub-agent's requests have their own context.
 */
export function lastContextTokens(events: Iterable<RunnerEvent>): number | null {
  const own = [...requestsIn(events).values()].filter((request) => request.parentToolUseId == null);
  const last = own.at(-1);
  if (last === undefined || last.outOfRange) return null;
  return last.inputTokens + last.cacheReadTokens + last.cacheWriteTokens + last.outputTokens;
}
