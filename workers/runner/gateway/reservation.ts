/** What a request may cost at most, and how much of a budget is reserved for it. */
import { estimateCost, type PriceTable } from '@/lib/agents/prices';
import type { AllowedRequest } from './request-body';

/** What the cost of a request depends on. */
export interface PricedRequest {
  model: string;
  /** Tokens of its input at most. */
  inputTokens: number;
  /** Tokens that it allows for its answer, thinking included. */
  maxTokens: number;
  /** Its input grows while it is answered, by results of tools that run at the provider. */
  hasServerTool: boolean;
}

export type Reservation =
  /** It may be forwarded with an answer of at most `maxTokens`. */
  | { kind: 'granted'; maxTokens: number; usd: number }
  /** Others that are on their way have reserved what it needs. */
  | { kind: 'wait' }
  /** What is left doesn't pay for it. */
  | { kind: 'refused' };

/** The longest context window: the provider refuses a longer input, and doesn't charge for it. */
const MAX_INPUT_TOKENS = 1_000_000;
/** What the provider itself adds for tools. */
const OVERHEAD_TOKENS = 1_000;
/** The provider scales larger images down. */
const IMAGE_TOKENS = 5_000;

/** Longest answer of the tested models, for a request that names none. */
const MAX_ANSWER_TOKENS = 128_000;

/**
 * Answers are rarely longer. A request that leaves less than its own maximum for others gets this much,
 * so that several can be on their way; the CLI continues an answer that was cut off there.
 */
const LONG_ANSWER_TOKENS = 32_000;

/** With less the model can't do anything useful; twice the least budget for thinking. */
const SHORTEST_ANSWER_TOKENS = 2_048;

/**
 * Returns what the cost of a request depends on. A token is one byte or longer; images are counted by
 * themselves, and the pages of a document aren't known, so it may fill the window.
 */
export function priceable(request: AllowedRequest, bodyBytes: number): PricedRequest {
  const { model, maxTokens, hasServerTool, images, documents, encodedChars } = request;
  const most = bodyBytes - encodedChars + images * IMAGE_TOKENS + OVERHEAD_TOKENS;
  return {
    ...{ model, hasServerTool },
    inputTokens: documents > 0 ? MAX_INPUT_TOKENS : Math.min(most, MAX_INPUT_TOKENS),
    maxTokens: Math.min(maxTokens ?? MAX_ANSWER_TOKENS, MAX_ANSWER_TOKENS),
  };
}

/** US dollars, if all of the input has to be written to the provider's cache. */
export function worstCost(
  prices: PriceTable,
  { model, inputTokens }: Pick<PricedRequest, 'model' | 'inputTokens'>,
  outputTokens: number,
): number {
  const none = { inputTokens: 0, cacheReadTokens: 0 };
  return estimateCost(prices, model, { ...none, cacheWriteTokens: inputTokens, outputTokens });
}

/**
 * Decides what is reserved for a request.
 *
 * @param leftUsd of the budget, without what others have spent and reserved
 * @param isAlone nobody else is on the way, so waiting wouldn't help
 */
export function planReservation(
  prices: PriceTable,
  request: PricedRequest,
  leftUsd: number,
  isAlone: boolean,
): Reservation {
  const { maxTokens } = request;
  const inputUsd = worstCost(prices, request, 0);
  const tokenUsd = worstCost(prices, request, 1) - inputUsd;
  const affordable = Math.floor((leftUsd - inputUsd) / tokenUsd);
  const isAffordable = affordable >= Math.min(maxTokens, SHORTEST_ANSWER_TOKENS);
  if (request.hasServerTool) {
    if (!isAlone) return { kind: 'wait' };
    if (!isAffordable) return { kind: 'refused' };
    return { kind: 'granted', maxTokens: Math.min(maxTokens, affordable), usd: leftUsd };
  }
  const granted = (tokens: number): Reservation => ({
    kind: 'granted',
    maxTokens: tokens,
    usd: worstCost(prices, request, tokens),
  });
  if (affordable >= maxTokens) return granted(maxTokens);
  if (affordable >= LONG_ANSWER_TOKENS) return granted(LONG_ANSWER_TOKENS);
  if (!isAlone) return { kind: 'wait' };
  return isAffordable ? granted(affordable) : { kind: 'refused' };
}

/** Returns whether a request is granted as long an answer as answers usually are, or all that it asks for. */
export function isLongAnswer(planned: Reservation, { maxTokens }: PricedRequest): boolean {
  if (planned.kind !== 'granted') return false;
  return planned.maxTokens >= Math.min(maxTokens, LONG_ANSWER_TOKENS);
}

/**
 * Returns the body with an answer limited to `maxTokens`, or as it is if that is null. A budget for
 * thinking is smaller than the answer.
 */
export function withMaxTokens(
  { body, maxTokens: asked }: Pick<AllowedRequest, 'body' | 'maxTokens'>,
  maxTokens: number | null,
): Readonly<Record<string, unknown>> {
  if (maxTokens === null || maxTokens === asked) return body;
  const limited = { ...body, max_tokens: maxTokens };
  const thinking = body.thinking as { type?: unknown; budget_tokens?: unknown } | null | undefined;
  if (thinking?.type !== 'enabled' || typeof thinking.budget_tokens !== 'number') return limited;
  const budget_tokens = Math.min(thinking.budget_tokens, maxTokens - 1);
  return { ...limited, thinking: { ...thinking, budget_tokens } };
}
