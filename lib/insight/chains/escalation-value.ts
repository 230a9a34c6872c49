/**
 * What continuing a conversation was worth at an escalation, compared with a start from the handoff.
 * All figures are estimates: the other start never happened.
 */

import { estimateCost, type PriceTable, type TokenCounts } from '@/lib/agents/prices';
import { formatCount, formatTokens } from '@/lib/platform/format/count';

/** Of texts of a handoff; a rough mean, since no tokenizer of the provider is public. */
export const CHARS_PER_TOKEN = 4;

/** Tokens that one model request read. */
export type RequestTokens = Omit<TokenCounts, 'outputTokens'>;

/** What the last process of a session did, from its log. */
export interface SessionWork {
  /** Null where no request reported its tokens. */
  usage: {
    model: string;
    requests: number;
    first: RequestTokens;
    last: RequestTokens;
    /** Of every request but the last one, which writes the report. */
    outputTokens: number;
  } | null;
  calls: readonly WorkCallFact[];
  hasCompacted: boolean;
  /** Why its calls and tokens are unknown; null: they are known. */
  unknown: UnknownReason | null;
}

/** A tool call that wasn't denied and isn't the report. */
export interface WorkCallFact {
  seq: number;
  tool: string;
  input: Readonly<Record<string, unknown>>;
  mayHaveChanged: boolean;
}

export type UnknownReason =
  | 'not_resumed'
  | 'log_deleted'
  | 'no_usage'
  | 'no_price'
  | 'no_handoff'
  | 'compacted'
  | 'log_too_long';

export interface HopFacts {
  mechanism: string | null;
  parent: SessionWork;
  child: SessionWork;
  /** First request of the session that began the resumed conversation: prompt and tools. */
  base: RequestTokens | null;
  /** Characters of the handoff that would have been, or was, its start. */
  handoffChars: number | null;
  prices: PriceTable | null;
}

export type Figure =
  | { micros: number; basis: string; unknown: null }
  | { micros: null; basis: null; unknown: UnknownReason };

export interface RepeatedCall {
  tool: string;
  /** The command, path or input. */
  text: string;
  /** Of the call in the log of the session that repeated it, and in the one before it. */
  seq: number;
  parentSeq: number;
  /** Made after the session had changed something, so it may verify that change. */
  isAfterChange: boolean;
}

export interface EscalationValue {
  /** What resuming cost more than a handoff start; negative: less. */
  premium: Figure;
  /** What a fresh look at what the parent had seen would have cost. */
  saving: Figure;
  /** Saving less premium; null where either is unknown. */
  netMicros: number | null;
  /** Tool calls of the session; null where its log, or its parent's, is gone. */
  calls: number | null;
  repeated: readonly RepeatedCall[];
}

/** Returns what resuming was worth at one escalation, and which calls it repeated. */
export function escalationValue(facts: HopFacts): EscalationValue {
  const { parent, child } = facts;
  const logsUnknown = child.unknown ?? parent.unknown;
  const repeated = logsUnknown === null ? repeatedCalls(parent.calls, child.calls) : [];
  const premium = premiumOf(facts);
  const saving = savingOf(facts);
  return {
    premium,
    saving,
    netMicros:
      premium.micros === null || saving.micros === null ? null : saving.micros - premium.micros,
    calls: logsUnknown === null ? child.calls.length : null,
    repeated,
  };
}

interface Comparison {
  child: NonNullable<SessionWork['usage']>;
  parent: NonNullable<SessionWork['usage']>;
  base: RequestTokens;
  handoffTokens: number;
  prices: PriceTable;
}

function comparisonOf(facts: HopFacts): Comparison | UnknownReason {
  const { mechanism, parent, child, base, handoffChars, prices } = facts;
  if (mechanism !== 'resume') return 'not_resumed';
  if (child.unknown || parent.unknown) return child.unknown ?? parent.unknown ?? 'no_usage';
  if (!child.usage || !parent.usage || !base) return 'no_usage';
  if (child.hasCompacted || parent.hasCompacted) return 'compacted';
  const { model } = child.usage;
  if (!prices?.models.some(([prefix]) => model.startsWith(prefix))) return 'no_price';
  if (handoffChars === null) return 'no_handoff';
  const handoffTokens = Math.ceil(handoffChars / CHARS_PER_TOKEN);
  return { child: child.usage, parent: parent.usage, base, handoffTokens, prices };
}

/** The first request as it was against the one of a handoff start, and what each later one reads more. */
function premiumOf(facts: HopFacts): Figure {
  const compared = comparisonOf(facts);
  if (typeof compared === 'string') return { micros: null, basis: null, unknown: compared };
  const { child, base, handoffTokens, prices } = compared;
  const price = (tokens: Partial<TokenCounts>) => costMicros(prices, child.model, tokens);
  const handoffStart = contextOf(base) + handoffTokens;
  const extra = contextOf(child.first) - handoffStart;
  const later = Math.max(0, child.requests - 1);
  const start =
    price(child.first) -
    price({ ...base, cacheWriteTokens: base.cacheWriteTokens + handoffTokens });
  const carried = Math.sign(extra) * price({ cacheReadTokens: Math.abs(extra) * later });
  return {
    micros: start + carried,
    basis: `Its first request read ${formatTokens(contextOf(child.first))} tokens; a start from the handoff would have read about ${formatTokens(handoffStart)}. ${later === 0 ? 'No request followed.' : `${requests(later)} after it read the difference from the cache.`}`,
    unknown: null,
  };
}

/** What the parent's requests wrote and read without the cache, as far as the child didn't look again. */
function savingOf(facts: HopFacts): Figure {
  const compared = comparisonOf(facts);
  if (typeof compared === 'string') return { micros: null, basis: null, unknown: compared };
  const { child, parent, base, handoffTokens, prices } = compared;
  const all = facts.parent.calls;
  if (all.length === 0) {
    return { micros: 0, basis: 'The tier before made no tool calls.', unknown: null };
  }
  const grown = Math.max(0, contextOf(parent.last) - contextOf(parent.first));
  const looks = callKeys(facts.child.calls.slice(0, firstChange(facts.child.calls)));
  const kept = all.filter((call) => !looks.has(callKey(call))).length;
  const whole = costMicros(prices, child.model, {
    outputTokens: parent.outputTokens,
    cacheWriteTokens: grown,
    cacheReadTokens: (contextOf(base) + handoffTokens) * Math.max(0, parent.requests - 1),
  });
  return {
    micros: Math.round((whole * kept) / all.length),
    basis: `${formatCount(kept)} of ${formatCount(all.length)} tool calls of the tier before weren’t made again. Its calls took ${formatTokens(parent.outputTokens)} tokens of output and ${formatTokens(grown)} of new input; ${formatCount(kept)}/${formatCount(all.length)} of that, at this tier’s prices.`,
    unknown: null,
  };
}

/** Calls of the child with the same tool and input as a call of the parent. */
function repeatedCalls(
  parent: readonly WorkCallFact[],
  child: readonly WorkCallFact[],
): RepeatedCall[] {
  const before = new Map(parent.toReversed().map((call) => [callKey(call), call.seq]));
  const changed = firstChange(child);
  return child.flatMap((call, index) => {
    const parentSeq = before.get(callKey(call));
    if (parentSeq === undefined) return [];
    const { tool, seq } = call;
    return { tool, text: callText(call), seq, parentSeq, isAfterChange: index > changed };
  });
}

function firstChange(calls: readonly WorkCallFact[]): number {
  const index = calls.findIndex((call) => call.mayHaveChanged);
  return index === -1 ? calls.length : index;
}

/** Fields that say why or how long, not what. */
const ASIDE = ['description', 'timeout', 'run_in_background'];

/**
 * Returns the same text for calls that do the same: white space and the order of fields don't count,
 * nor do the agent's own description and its time limit.
 */
export function callKey({ tool, input }: Pick<WorkCallFact, 'tool' | 'input'>): string {
  const fields = Object.entries(input)
    .filter(([name]) => !ASIDE.includes(name))
    .toSorted(([one], [other]) => (one < other ? -1 : 1))
    .map(([name, value]) => [name, typeof value === 'string' ? plain(value) : value]);
  return JSON.stringify([tool, fields]);
}

function callKeys(calls: readonly WorkCallFact[]): Set<string> {
  return new Set(calls.map(callKey));
}

const MAX_TEXT = 120;

function callText({ tool, input }: WorkCallFact): string {
  const { command, file_path, path, pattern } = input;
  const said = [command, file_path, path, pattern].find((value) => typeof value === 'string');
  const name = tool.split('__').at(-1) ?? tool;
  const values = Object.values(input).filter((value) => typeof value === 'string');
  const shown = typeof said === 'string' ? plain(said) : [name, ...values].join(' ');
  return shown.length > MAX_TEXT ? `${shown.slice(0, MAX_TEXT - 1)}…` : shown;
}

function plain(text: string): string {
  return text.trim().replace(/\s+/g, ' ');
}

function contextOf({ inputTokens, cacheReadTokens, cacheWriteTokens }: RequestTokens): number {
  return inputTokens + cacheReadTokens + cacheWriteTokens;
}

function costMicros(prices: PriceTable, model: string, tokens: Partial<TokenCounts>): number {
  const none = { inputTokens: 0, outputTokens: 0, cacheReadTokens: 0, cacheWriteTokens: 0 };
  return Math.round(estimateCost(prices, model, { ...none, ...tokens }) * 1_000_000);
}

function requests(count: number): string {
  return count === 1 ? '1 request' : `${formatCount(count)} requests`;
}
