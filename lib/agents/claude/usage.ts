/**
 * Tokens and cost of one attempt, from what its process said. Every request is metered from the
 * stream, so that an attempt without a result, or with one that misses a request, is booked too.
 */

import type { MeteredEvent } from '@/lib/protocol/confined-events';
import type { RunnerEvent } from '@/lib/protocol/events';
import type { ModelUsage } from '@/lib/protocol/figures';
import {
  type BookedLine,
  type ModelUsages,
  type ResumedParent,
  requestsIn,
  type StartedWith,
} from '../booking';
import { type Charged, estimateCost, type PriceTable, type TokenCounts } from '../prices';
import { type InFlight, requestInFlight } from './in-flight';
import { CLAUDE_PRICES } from './prices';
import { type UsageScope, usageScope } from './versions';

/** Tokens and estimated US dollars by model, over all requests of the process. */
export function meterRequests(
  events: Iterable<RunnerEvent>,
  prices: PriceTable = CLAUDE_PRICES,
): Record<string, TokenCounts & { estimatedUsd: number }> {
  const sums: Record<string, TokenCounts & { estimatedUsd: number }> = {};
  for (const request of requestsIn(events).values()) {
    const sum = sums[request.model] ?? { ...NO_TOKENS, estimatedUsd: 0 };
    sums[request.model] = {
      ...combine(sum, request, (a, b) => a + b),
      estimatedUsd: sum.estimatedUsd + estimateCost(prices, request.model, request),
    };
  }
  return sums;
}

/**
 * Returns what a process itself spent, by model. `parentReported` is what the resumed
 * conversation's last process reported, raw; null when it reported nothing, which then subtracts
 * nothing.
 */
export function bookedUsage(
  reported: ModelUsages,
  parentReported: ModelUsages | null,
  scope: UsageScope,
): ModelUsages {
  const parent = parentReported ?? {};
  if (scope === 'process' || !includes(reported, parent)) return reported;
  const net = Object.entries(reported).map(([model, total]): [string, ModelUsage] => {
    const before = parent[model];
    if (before === undefined) return [model, total];
    const costUsd = netCost(total.costUsd, before.costUsd);
    return [model, { ...total, ...combine(total, before, (a, b) => a - b), costUsd }];
  });
  // A fork lists its parent's models although it has not used them.
  return Object.fromEntries(
    net.filter(([, usage]) => (usage.costUsd ?? 0) > 0 || hasTokens(usage)),
  );
}

/** Null where either is unknown: then the cost follows from the tokens. */
function netCost(total: number | null, before: number | null): number | null {
  return total === null || before === null ? null : Math.max(0, total - before);
}

/** Totals that are smaller than the parent's anywhere do not have the parent's in them. */
function includes(reported: ModelUsages, parent: ModelUsages): boolean {
  return Object.entries(parent).every(([model, before]) => {
    const total = reported[model] ?? NO_TOKENS;
    return FIELDS.every((field) => total[field] >= before[field]);
  });
}

/**
 * Works out the ledger lines of one attempt. `events` are all of its events; the last result
 * counts, and what the stream showed beyond it is added, priced by our own table. So is the request
 * that was in flight when the process ended, whose line is an estimate in any case. `parent` is
 * null for an attempt that resumed nothing, and `started` where its start is not known.
 */
export function bookAttempt(
  events: readonly RunnerEvent[],
  parent: ResumedParent | null,
  started: StartedWith | null = null,
  prices: PriceTable = CLAUDE_PRICES,
): BookedLine[] {
  const init = events.find((event) => event.kind === 'init');
  const result = events.findLast((event) => event.kind === 'result');
  const scope = usageScope(init?.cliVersion ?? null);
  const metered = meterRequests(events, prices);
  // A parent that was terminated prints nothing, yet its child's totals can have its tokens in them
  // (2.1.330, SIGTERM). Then only the stream shows which tokens are the child's own.
  const isUnclear = scope === 'conversation' && parent !== null && parent.reported === null;
  const counted =
    isUnclear && isWhollyMetered(events)
      ? {}
      : bookedUsage(result?.modelUsage ?? {}, parent?.reported ?? null, scope);
  const byGateway = events.filter((event) => event.kind === 'metered');
  if (byGateway.length > 0) return bookMetered(byGateway, counted, events, prices);
  const lines = new Map<string, BookedLine>();
  for (const [model, { contextWindow: _, ...usage }] of Object.entries(counted)) {
    lines.set(model, reportedLine(prices, model, usage));
  }
  for (const [model, tokens] of Object.entries(metered)) {
    const name = reportedName(model, lines);
    const line = lines.get(name);
    lines.set(
      name,
      line === undefined ? estimatedLine(name, tokens) : raised(prices, line, tokens),
    );
  }
  const inFlight = requestInFlight(events, started);
  if (inFlight) addInFlight(prices, lines, inFlight);
  return [...lines.values()];
}

/**
 * Lines by what the gateway has counted. The cost is the CLI's own where it counted the same tokens,
 * since its prices follow the models. A model that only the CLI names has a line without tokens.
 */
function bookMetered(
  requests: readonly MeteredEvent[],
  claims: ModelUsages,
  events: readonly RunnerEvent[],
  prices: PriceTable,
): BookedLine[] {
  const lines = new Map<string, BookedLine>();
  const add = (model: string, tokens: Charged, isComplete: boolean) => {
    const line = lines.get(model) ?? meteredLine(model);
    const isEstimate = line.isEstimate || !isComplete;
    lines.set(model, {
      ...line,
      ...combine(line, tokens, (a, b) => a + b),
      costUsd: line.costUsd + estimateCost(prices, model, tokens),
      source: isEstimate ? 'partly_estimated' : 'metered',
      isEstimate,
    });
  };
  for (const request of requests) add(request.model, request, request.isComplete);
  // The runner was killed before it could say what this one had cost.
  const inFlight = requestInFlight(events, null);
  const isUnmetered =
    inFlight?.kind === 'answering' &&
    requests.every(({ messageId }) => messageId !== inFlight.request.messageId);
  if (isUnmetered) add(inFlight.request.model, inFlight.request, false);
  for (const [name, { contextWindow: _, ...claimed }] of Object.entries(claims)) {
    const model = name.replace(/\[1m\]$/, '');
    const line = lines.get(model) ?? meteredLine(model);
    const isSame = FIELDS.every((field) => line[field] === claimed[field]);
    const costUsd = isSame && claimed.costUsd !== null ? claimed.costUsd : line.costUsd;
    lines.set(model, { ...line, costUsd, claimed });
  }
  return [...lines.values()];
}

function meteredLine(model: string): BookedLine {
  return {
    ...{ model, ...NO_TOKENS, costUsd: 0 },
    ...{ source: 'metered', isEstimate: false, claimed: null },
  };
}

function addInFlight(prices: PriceTable, lines: Map<string, BookedLine>, inFlight: InFlight): void {
  // Metered already where its answer had begun, but not to its end.
  const { model, tokens } =
    inFlight.kind === 'answering' ? { model: inFlight.request.model, tokens: NO_TOKENS } : inFlight;
  const name = reportedName(model, lines);
  const estimatedUsd = estimateCost(prices, name, tokens);
  const line = lines.get(name);
  if (line === undefined) {
    lines.set(name, estimatedLine(name, { ...tokens, estimatedUsd }));
    return;
  }
  lines.set(name, {
    ...line,
    ...combine(line, tokens, (a, b) => a + b),
    costUsd: line.costUsd + estimatedUsd,
    source: line.source === 'estimated' ? 'estimated' : 'partly_estimated',
    isEstimate: true,
  });
}

/** Requests of a compaction and of sub-agents do not show in the stream. */
function isWhollyMetered(events: readonly RunnerEvent[]): boolean {
  return !events.some(
    (event) =>
      event.kind === 'compaction' ||
      (event.kind === 'tool_call' && (event.tool === 'Task' || event.tool === 'Agent')),
  );
}

/** Results mark a model that runs with a long window, requests do not. */
function reportedName(model: string, lines: Map<string, BookedLine>): string {
  return lines.has(`${model}[1m]`) ? `${model}[1m]` : model;
}

function estimatedLine(
  model: string,
  { estimatedUsd, ...tokens }: TokenCounts & { estimatedUsd: number },
): BookedLine {
  return {
    ...{ model, ...tokens, costUsd: estimatedUsd },
    ...{ source: 'estimated', isEstimate: true, claimed: null },
  };
}

function reportedLine(
  prices: PriceTable,
  model: string,
  { costUsd, ...tokens }: TokenCounts & { costUsd: number | null },
): BookedLine {
  const line = { model, ...tokens, claimed: null };
  if (costUsd !== null) return { ...line, costUsd, source: 'reported', isEstimate: false };
  const estimatedUsd = estimateCost(prices, model, tokens);
  return { ...line, costUsd: estimatedUsd, source: 'partly_estimated', isEstimate: true };
}

function raised(prices: PriceTable, line: BookedLine, metered: TokenCounts): BookedLine {
  const missing = combine(metered, line, (a, b) => Math.max(0, a - b));
  if (!hasTokens(missing)) return line;
  return {
    ...line,
    ...combine(line, missing, (a, b) => a + b),
    costUsd: line.costUsd + estimateCost(prices, line.model, missing),
    source: 'partly_estimated',
    isEstimate: true,
  };
}

const FIELDS = ['inputTokens', 'outputTokens', 'cacheReadTokens', 'cacheWriteTokens'] as const;
const NO_TOKENS: TokenCounts = {
  inputTokens: 0,
  outputTokens: 0,
  cacheReadTokens: 0,
  cacheWriteTokens: 0,
};

function combine(
  a: TokenCounts,
  b: TokenCounts,
  of: (a: number, b: number) => number,
): TokenCounts {
  return {
    inputTokens: of(a.inputTokens, b.inputTokens),
    outputTokens: of(a.outputTokens, b.outputTokens),
    cacheReadTokens: of(a.cacheReadTokens, b.cacheReadTokens),
    cacheWriteTokens: of(a.cacheWriteTokens, b.cacheWriteTokens),
  };
}

function hasTokens(usage: TokenCounts): boolean {
  return FIELDS.some((field) => usage[field] > 0);
}

/**
 * Returns the context window of the model that ran, as reported by the CLI; a fork lists its
 * parents' models, too.
 */
export function reportedWindow(events: readonly RunnerEvent[]): number | null {
  const model = events.findLast((event) => event.kind === 'init')?.model;
  const result = events.findLast((event) => event.kind === 'result');
  if (!result || !model) return null;
  const entry = Object.entries(result.modelUsage).find(
    ([name]) => name === model || name === `${model}[1m]`,
  );
  return entry?.[1].contextWindow ?? null;
}
