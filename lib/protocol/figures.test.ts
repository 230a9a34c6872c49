import { describe, expect, it } from 'vitest';
import { runnerEventSchema } from './events';
import { boundFigures, MAX_COST_USD, MAX_TOTAL_TOKENS } from './figures';

const totals = {
  inputTokens: 1_000,
  outputTokens: 100,
  cacheReadTokens: 0,
  cacheWriteTokens: 0,
  costUsd: 0.03,
  contextWindow: 200_000,
};

const result = {
  kind: 'result',
  subtype: 'success',
  isError: false,
  apiErrorStatus: null,
  terminalReason: 'completed',
  stopReason: 'tool_use',
  cliSessionId: 'a',
  numTurns: 3,
  durationMs: 1_000,
  durationApiMs: 900,
  totalCostUsd: 0.03,
  modelUsage: { haiku: totals },
  text: 'web is down',
  errors: [],
  structuredOutput: { summary: 'web is down' },
  permissionDenials: [],
};

const request = {
  kind: 'request_usage',
  messageId: 'm',
  model: 'haiku',
  inputTokens: 1_000,
  outputTokens: 100,
  cacheReadTokens: 0,
  cacheWriteTokens: 0,
  final: true,
};

const check = {
  kind: 'check_result',
  service: 'web',
  type: 'http',
  target: 'http://web/',
  status: 'down',
  error: 'refused',
  responseTimeMs: 3,
};

/** What JSON, and a runner of another make, can hold in place of a figure. */
const NO_FIGURES = [1e300, -1, Number.POSITIVE_INFINITY, Number.NaN, 'NaN', '3', true, {}, 2 ** 60];
const usageOf = (changes: object) => ({
  ...result,
  modelUsage: { haiku: { ...totals, ...changes } },
});

describe('[ENG-4.3] a figure within its bounds', () => {
  it.each([
    ['a result', result],
    ['the largest result', usageOf({ inputTokens: MAX_TOTAL_TOKENS, costUsd: MAX_COST_USD })],
    ['nothing known', { ...result, numTurns: null, totalCostUsd: null }],
    ['a request', request],
    ['a check', { ...check, responseTimeMs: null }],
  ])('stays as it is: %s', (_title, event) => {
    expect(boundFigures(event)).toBe(event);
    expect(runnerEventSchema.parse(event)).toEqual(event);
  });
});

describe('[ENG-4.3] a figure out of range counts as unknown, and the rest of its event is kept', () => {
  const parsed = (event: unknown) => runnerEventSchema.parse(event);
  const named = (figure: string, value: unknown) => [{ figure, value: String(value) }];

  it.each(NO_FIGURES)('costs and counts of a result: %s', (value) => {
    for (const field of ['totalCostUsd', 'numTurns', 'durationMs', 'durationApiMs']) {
      const event = { ...result, [field]: value };
      const outOfRange = named(field, value);
      // A text of digits is no figure either: nothing is guessed.
      expect(parsed(event)).toEqual({ ...result, [field]: null, outOfRange });
    }
  });

  it.each(NO_FIGURES)("a model's cost, so that it follows from the tokens: %s", (value) => {
    expect(parsed(usageOf({ costUsd: value }))).toEqual({
      ...usageOf({ costUsd: null }),
      outOfRange: named('modelUsage.haiku.costUsd', value),
    });
  });

  it.each([...NO_FIGURES, null, 1.5])(
    "a model's tokens, so that the stream tells them: %s",
    (value) => {
      const sonnet = { ...totals, inputTokens: 7 };
      const event = {
        ...result,
        modelUsage: { haiku: { ...totals, cacheReadTokens: value }, sonnet },
      };
      expect(parsed(event)).toEqual({
        ...result,
        modelUsage: { sonnet },
        outOfRange: named('modelUsage.haiku.cacheReadTokens', value),
      });
    },
  );

  it.each(NO_FIGURES)('tokens of a request: %s', (value) => {
    expect(parsed({ ...request, inputTokens: value })).toEqual({
      ...request,
      inputTokens: 0,
      outOfRange: named('inputTokens', value),
    });
  });

  it.each(NO_FIGURES)('times of checks and limits: %s', (value) => {
    expect(parsed({ ...check, responseTimeMs: value })).toMatchObject({ responseTimeMs: null });
    expect(parsed({ kind: 'rate_limit', status: 'rejected', resetsAt: value })).toMatchObject({
      resetsAt: null,
      outOfRange: named('resetsAt', value),
    });
  });

  it('names of models that no index holds, and more models than there are', () => {
    const many = Object.fromEntries(
      Array.from({ length: 60 }, (_, index) => [`m${index}`, totals]),
    );
    const long = { ...result, modelUsage: { ['x'.repeat(5_000)]: totals, haiku: totals } };
    expect(parsed(long)).toEqual({
      ...result,
      outOfRange: named('modelUsage', 'a model name of 5000 characters'),
    });
    expect(parsed({ ...result, modelUsage: many })).toMatchObject({
      outOfRange: named('modelUsage', '60 models'),
    });
  });

  it('is named once, however often the event is parsed on its way', () => {
    const once = parsed({ ...result, totalCostUsd: 1e300 });
    expect(parsed(once)).toEqual(once);
  });
});

it('[ENG-4.3] an event that lacks a figure is refused as before', () => {
  const { numTurns: _, ...short } = result;
  expect(runnerEventSchema.safeParse(short).success).toBe(false);
  expect(runnerEventSchema.safeParse({ ...result, modelUsage: { haiku: 7 } }).success).toBe(false);
  for (const value of [null, 'result', [result], { kind: 'other' }]) {
    expect(runnerEventSchema.safeParse(value).success).toBe(false);
  }
});
