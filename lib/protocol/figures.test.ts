import { describe, expect, it } from 'vitest';
import { runnerEventSchema } from './events';
import { boundFigures, MAX_COST_USD, MAX_TOTAL_TOKENS, type OutOfRange } from './figures';

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

const TOKENS = { inputTokens: 1, outputTokens: 1, cacheReadTokens: 1, cacheWriteTokens: 1 };
const outOfRange = (event: object) => {
  const { outOfRange: named = [] } = boundFigures(event) as { outOfRange?: OutOfRange };
  return named.map(({ figure }) => figure);
};
const ofResult = (changes: object) => ({ kind: 'result', ...changes });
const modelUsage = (totals: object, model = 'm') =>
  ofResult({ modelUsage: { [model]: { ...TOKENS, ...totals } } });

describe('the bounds themselves', () => {
  it.each<[string, (value: number) => object, number]>([
    ['totalCostUsd', (value) => ofResult({ totalCostUsd: value }), 100_000],
    ['numTurns', (value) => ofResult({ numTurns: value }), 1_000_000],
    ['durationMs', (value) => ofResult({ durationMs: value }), 2_147_483_647],
    ['durationApiMs', (value) => ofResult({ durationApiMs: value }), 2_147_483_647],
    ['modelUsage.m.costUsd', (value) => modelUsage({ costUsd: value }), 100_000],
    ['modelUsage.m.contextWindow', (value) => modelUsage({ contextWindow: value }), 100_000_000],
    ['modelUsage.m.inputTokens', (value) => modelUsage({ inputTokens: value }), 1e12],
    ['modelUsage.m.outputTokens', (value) => modelUsage({ outputTokens: value }), 1e12],
    ['modelUsage.m.cacheReadTokens', (value) => modelUsage({ cacheReadTokens: value }), 1e12],
    ['modelUsage.m.cacheWriteTokens', (value) => modelUsage({ cacheWriteTokens: value }), 1e12],
    ['resetsAt', (value) => ({ kind: 'rate_limit', resetsAt: value }), 4_102_444_800],
    ['responseTimeMs', (value) => ({ kind: 'check_result', responseTimeMs: value }), 2_147_483_647],
    ...(['inputTokens', 'outputTokens', 'cacheReadTokens', 'cacheWriteTokens'] as const).map(
      (field): [string, (value: number) => object, number] => [
        field,
        (value) => ({ kind: 'request_usage', ...TOKENS, [field]: value }),
        100_000_000,
      ],
    ),
  ])('[ENG-4.3] %s has an upper bound, and is never negative', (figure, event, max) => {
    expect(outOfRange(event(max))).toEqual([]);
    expect(outOfRange(event(max + 1))).toEqual([figure]);
    expect(outOfRange(event(1))).toEqual([]);
    expect(outOfRange(event(-1))).toEqual([figure]);
    expect(outOfRange(event(1e300))).toEqual([figure]);
  });

  it('a window has at least one token, and nothing else must', () => {
    expect(outOfRange(modelUsage({ contextWindow: 0 }))).toEqual(['modelUsage.m.contextWindow']);
    expect(outOfRange(modelUsage({ costUsd: 0, inputTokens: 0 }))).toEqual([]);
  });

  it('dollars and times of a reset have fractions, counts have none', () => {
    expect(outOfRange(ofResult({ totalCostUsd: 0.5 }))).toEqual([]);
    expect(outOfRange(modelUsage({ costUsd: 0.5 }))).toEqual([]);
    expect(outOfRange({ kind: 'rate_limit', resetsAt: 0.5 })).toEqual([]);
    expect(outOfRange(ofResult({ numTurns: 0.5, durationMs: 0.5 }))).toEqual([
      'numTurns',
      'durationMs',
    ]);
    expect(outOfRange({ kind: 'check_result', responseTimeMs: 0.5 })).toEqual(['responseTimeMs']);
  });

  it('a model has a name of up to 200 characters, of which 60 are shown, and a result 50 models', () => {
    expect(outOfRange(modelUsage({}, 'm'.repeat(200)))).toEqual([]);
    expect(outOfRange(modelUsage({}, 'm'.repeat(201)))).toEqual(['modelUsage']);
    expect(outOfRange(modelUsage({ costUsd: -1 }, 'm'.repeat(61)))).toEqual([
      `modelUsage.${'m'.repeat(60)}.costUsd`,
    ]);
    const models = (count: number) =>
      ofResult({
        modelUsage: Object.fromEntries(Array.from({ length: count }, (_, n) => [n, TOKENS])),
      });
    expect(outOfRange(models(50))).toEqual([]);
    expect(outOfRange(models(51))).toEqual(['modelUsage']);
  });

  it('20 figures are named, each with 60 characters of its value, after those named before', () => {
    const before = { figure: 'numTurns', value: '-1' };
    const models = Object.fromEntries(
      Array.from({ length: 30 }, (_, n) => [`m${n}`, { ...TOKENS, costUsd: 'x'.repeat(61) }]),
    );
    const bounded = boundFigures(ofResult({ modelUsage: models, outOfRange: [before] })) as {
      outOfRange: OutOfRange;
    };
    expect(bounded.outOfRange).toHaveLength(20);
    expect(bounded.outOfRange.slice(0, 2)).toEqual([
      before,
      { figure: 'modelUsage.m0.costUsd', value: 'x'.repeat(60) },
    ]);
  });

  it.each([
    null,
    7,
    'result',
    ['result'],
    { kind: 7 },
    { kind: 'text', totalCostUsd: -1 },
    { kind: 'result', modelUsage: null },
    { kind: 'result', modelUsage: [{ inputTokens: -1 }] },
    { kind: 'result', modelUsage: { m: null, n: 7 } },
    { kind: 'rate_limit', modelUsage: { m: { inputTokens: -1 } } },
  ])('what is no figure of its event stays as it is: %j', (event) => {
    expect(boundFigures(event)).toBe(event);
  });

  it('totals that are no record are left to the schema, also beside others', () => {
    const bounded = boundFigures(
      ofResult({ modelUsage: { m: null, n: { ...TOKENS, costUsd: -1 } } }),
    ) as { modelUsage: object };
    expect(bounded.modelUsage).toEqual({ m: null, n: { ...TOKENS, costUsd: null } });
  });
});
