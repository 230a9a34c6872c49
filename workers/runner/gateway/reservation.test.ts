import { describe, expect, it } from 'vitest';
import { CLAUDE_PRICES } from '@/lib/agents/claude/prices';
import type { AllowedRequest } from './request-body';
import {
  type PricedRequest,
  planReservation,
  priceable,
  withMaxTokens,
  worstCost,
} from './reservation';

/** $5 for a million tokens of input that is cached, $20 for output: $0.05 of input, $1.28 of output. */
const OPUS: PricedRequest = {
  ...{ model: 'claude-opus-5-5', inputTokens: 10_000, maxTokens: 64_000, hasServerTool: false },
};
const SEARCH = { hasServerTool: true };

describe('[HLD-2.1] the answer that is paid for, in tokens', () => {
  it.each<
    [string, Partial<PricedRequest>, leftUsd: number, isAlone: boolean, number | 'wait' | 'refused']
  >([
    ['all that it asks for', {}, 10, true, 64_000],
    ['the same beside others', {}, 10, false, 64_000],
    ['just enough', {}, 1.330_001, false, 64_000],
    ['a little less than that', {}, 1.329_999, false, 32_000],
    ['a little less, and alone', {}, 1.329_999, true, 32_000],
    ['not enough for a long answer, beside others', {}, 0.650_001, false, 'wait'],
    ['not enough for a long answer, alone', {}, 0.650_001, true, 30_000],
    ['a short answer, alone', {}, 0.090_961, true, 2_048],
    ['too little for a short answer', {}, 0.090_959, true, 'refused'],
    ['too little for its input', {}, 0.05, true, 'refused'],
    ['nothing left', {}, 0, true, 'refused'],
    ['less than nothing left', {}, -1, true, 'refused'],
    ['nothing left, beside others', {}, 0, false, 'wait'],
    ['an answer that is meant to be short', { maxTokens: 10 }, 0.050_201, true, 10],
    ['a search, beside others', SEARCH, 100, false, 'wait'],
    ['a search, alone', SEARCH, 100, true, 64_000],
    ['a search, near the end of the budget', SEARCH, 0.250_001, true, 10_000],
    ['a search that isn’t paid for', SEARCH, 0.09, true, 'refused'],
    // $0.625 for a million tokens of input, $2.50 for output.
    [
      'a model that costs more with a long context',
      { model: 'claude-haiku-5-5', inputTokens: 200_000, maxTokens: 50_000 },
      0.150_001,
      true,
      10_000,
    ],
    // $6.25 for a million tokens of input, $25 for output.
    ['an unknown model', { model: 'x', maxTokens: 5_000 }, 0.187_501, false, 5_000],
  ])('%s', (_what, changes, leftUsd, isAlone, expected) => {
    const request = { ...OPUS, ...changes };
    const plan = planReservation(CLAUDE_PRICES, request, leftUsd, isAlone);
    if (plan.kind !== 'granted') {
      expect(plan.kind).toBe(expected);
      return;
    }
    expect(plan.maxTokens).toBe(expected);
    const usd = worstCost(CLAUDE_PRICES, request, plan.maxTokens);
    // A search may become as long as it likes.
    expect(plan.usd).toBe(request.hasServerTool ? leftUsd : usd);
    expect(plan.usd).toBeLessThanOrEqual(leftUsd);
  });
});

const request = (changes: Partial<AllowedRequest> = {}): AllowedRequest => ({
  ...{ body: {}, model: 'claude-opus-5-5', maxTokens: 1_000, isStreamed: true },
  ...{ hasServerTool: false, images: 0, documents: 0, encodedChars: 0 },
  ...changes,
});

describe('[HLD-2.1] what a request counts as', () => {
  it.each<[string, Partial<AllowedRequest>, bytes: number, inputTokens: number, maxTokens: number]>(
    [
      ['a token for each byte', {}, 5_000, 6_000, 1_000],
      ['an image, not by its bytes', { images: 2, encodedChars: 900_000 }, 905_000, 16_000, 1_000],
      ['a document of any length', { documents: 1, encodedChars: 400 }, 900, 1_000_000, 1_000],
      ['more than any window', {}, 30_000_000, 1_000_000, 1_000],
      ['no limit of its answer', { maxTokens: null }, 0, 1_000, 128_000],
      ['a limit above any model’s', { maxTokens: 9e15 }, 0, 1_000, 128_000],
    ],
  )('%s', (_what, changes, bytes, inputTokens, maxTokens) => {
    expect(priceable(request(changes), bytes)).toMatchObject({ inputTokens, maxTokens });
  });
});

describe('[HLD-2.1] the forwarded body', () => {
  const body = { max_tokens: 32_000, thinking: { type: 'enabled', budget_tokens: 31_999 } };

  it('is the agent’s where its whole answer is paid for, or nothing limits it', () => {
    const whole = request({ body, maxTokens: 32_000 });
    expect(withMaxTokens(whole, 32_000)).toBe(body);
    expect(withMaxTokens(whole, null)).toBe(body);
  });

  it('limits the answer, and its thinking to less than that', () => {
    expect(withMaxTokens(request({ body, maxTokens: 32_000 }), 2_048)).toEqual({
      max_tokens: 2_048,
      thinking: { type: 'enabled', budget_tokens: 2_047 },
    });
    const little = { ...body, thinking: { type: 'enabled', budget_tokens: 1_024 } };
    expect(withMaxTokens(request({ body: little }), 2_048)).toMatchObject({
      thinking: { budget_tokens: 1_024 },
    });
  });

  it.each([{ type: 'adaptive' }, { type: 'disabled' }, undefined, null])(
    'keeps thinking that is %j',
    (thinking) => {
      expect(withMaxTokens(request({ body: { thinking }, maxTokens: null }), 5_000)).toEqual({
        thinking,
        max_tokens: 5_000,
      });
    },
  );
});
