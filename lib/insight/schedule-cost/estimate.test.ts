import { describe, expect, it } from 'vitest';
import { basisOf } from './basis';
import { type CostBasis, estimateOf } from './estimate';

const HAIKU = { harness: 'claude', model: 'haiku' } as const;
const row = (chains: number, medianMicros: number, more = {}) => {
  return { ...HAIKU, chains, medianMicros, ...more };
};

describe('[PAG-2.2] what an estimate rests on', () => {
  it.each([
    ['the project’s own chains', [row(5, 30_000)], [row(90, 50_000)], ['history', 'project']],
    ['too few of its own', [row(4, 30_000)], [row(90, 50_000)], ['history', 'organization']],
    ['too few of all', [row(4, 30_000)], [row(4, 50_000)], ['assumed', undefined]],
    ['another model', [row(50, 30_000, { model: 'opus' })], [], ['assumed', undefined]],
    ['another agent', [row(50, 30_000, { harness: 'demo' })], [], ['assumed', undefined]],
  ])('%s', (_, ofProject, ofOrganization, [kind, of]) => {
    expect(basisOf(HAIKU, ofProject, ofOrganization)).toMatchObject({
      kind,
      ...(of ? { of } : {}),
    });
  });

  it('prices an alias as its family, and says by which table', () => {
    const basis = basisOf(HAIKU, [], []);
    expect(basis).toEqual({
      kind: 'assumed',
      micros: 30_500,
      tokens: 93_500,
      model: 'haiku',
      pricesOf: '2026-11-21',
    });
    const named = basisOf({ harness: 'claude', model: 'claude-opus-4-1' }, [], []);
    expect(named).toMatchObject({ kind: 'assumed', micros: 152_500 });
  });

  it('makes up no price, and none for an agent without a model', () => {
    const unknown = basisOf({ harness: 'claude', model: 'house-model' }, [], []);
    expect(unknown).toEqual({ kind: 'unknown_price', model: 'house-model' });
    expect(basisOf({ harness: 'demo', model: 'haiku' }, [], [])).toEqual({ kind: 'simulated' });
  });
});

const HISTORY: CostBasis = {
  kind: 'history',
  of: 'project',
  chains: 40,
  medianMicros: 29_900,
  model: 'haiku',
};

it.each([
  [144, HISTORY, 'A healthy day: 144 chains by schedule, about $4.31 with haiku.'],
  [2, HISTORY, 'A healthy day: 2 chains by schedule, about $0.06 with haiku.'],
  [1, HISTORY, 'A healthy day: 1 chain by schedule, about $0.03 with haiku.'],
  [24 / 7, HISTORY, 'A healthy day: about 3.4 chains by schedule, about $0.10 with haiku.'],
  [5 / 7, HISTORY, 'A healthy week: 5 chains by schedule, about $0.15 with haiku.'],
  [144, basisOf(HAIKU, [], []), 'A healthy day: 144 chains by schedule, about $4.39 with haiku.'],
  [
    2,
    { kind: 'unknown_price', model: 'x' } as const,
    'A healthy day: 2 chains by schedule. What it costs is unknown.',
  ],
  [
    144,
    { kind: 'simulated' } as const,
    'A healthy day: 144 chains by schedule. Costs are simulated with the demo agent; nobody is billed.',
  ],
  [1_440, null, 'A healthy day: 1,440 chains by schedule. What it costs is unknown.'],
  // Without a chain there is nothing to pay, whatever one would cost.
  [0, HISTORY, 'A healthy day: 0 chains by schedule, so it costs $0.00.'],
  [
    0,
    { kind: 'unknown_price', model: 'x' } as const,
    'A healthy day: 0 chains by schedule, so it costs $0.00.',
  ],
  [0, null, 'A healthy day: 0 chains by schedule, so it costs $0.00.'],
])('[PAG-2.2] [INC-1.2] %f a day', (perDay, basis, sentence) => {
  expect(estimateOf(perDay, basis).sentence).toBe(sentence);
});

it('[PAG-2.2] says what the figure rests on, and that it’s an estimate', () => {
  expect(estimateOf(144, HISTORY).note).toBe(
    'Estimate from the median of 40 chains of this project that ended in tier 1. Escalations cost extra.',
  );
  expect(estimateOf(144, basisOf(HAIKU, [], [])).note).toBe(
    'Estimate for healthy chains: assumes 93,500 tokens each, most of them from the cache, at list prices of 2026-11-21. Escalations cost extra.',
  );
  expect(estimateOf(144, { kind: 'unknown_price', model: 'x' }).note).toContain(
    'No price is known',
  );
});
