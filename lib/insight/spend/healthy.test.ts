import { describe, expect, it } from 'vitest';
import type { CostBasis } from '../schedule-cost/estimate';
import {
  avoidedInAllSentence,
  avoidedSentence,
  type CheckSpan,
  type HealthyFacts,
  type HealthyFigures,
  type HourResults,
  healthyDaySentence,
  healthyFigures,
  type ProjectHealth,
  stateOfHour,
  summedDays,
  USUAL_SCHEDULE,
} from './healthy';

const HOUR_MS = 3_600_000;
const DAY = new Date('2026-11-20T00:00:00Z');
const hourAt = (index: number) => DAY.getTime() + index * HOUR_MS;
const CHECK: CheckSpan = {
  createdAt: new Date('2026-11-01T00:00:00Z'),
  removedAt: null,
  everySeconds: 60,
};
const results = (changes: Partial<HourResults> = {}): HourResults => ({
  ...{ hour: hourAt(0), failing: 0, unknown: 0, reported: 1, reportedDue: 1 },
  ...changes,
});

describe('[INC-1.2] what an hour was', () => {
  it.each<[string, string, HourResults | undefined, CheckSpan[]]>([
    ['every result passed', 'healthy', results(), [CHECK]],
    ['one result failed', 'failing', results({ failing: 1 }), [CHECK]],
    ['one failed and one is unknown', 'failing', results({ failing: 1, unknown: 1 }), [CHECK]],
    ['one is unknown', 'unknown', results({ unknown: 1 }), [CHECK]],
    ['no result', 'unknown', undefined, [CHECK]],
    ['one of two checks has none', 'unknown', results(), [CHECK, CHECK]],
    [
      'one of two checks has none, and runs once a day',
      'healthy',
      results(),
      [CHECK, { ...CHECK, everySeconds: 86_400 }],
    ],
    [
      'the only check runs once a day, and not in this hour',
      'unknown',
      undefined,
      [{ ...CHECK, everySeconds: 86_400 }],
    ],
    ['no check', 'off', undefined, []],
    ['it was created within', 'off', results(), [{ ...CHECK, createdAt: new Date(hourAt(0) + 1) }]],
    ['it was removed within', 'off', results(), [{ ...CHECK, removedAt: new Date(hourAt(1) - 1) }]],
  ])('%s: %s', (_case, state, found, checks) => {
    expect(stateOfHour(hourAt(0), found, checks)).toBe(state);
  });
});

/** A day of healthy hours. */
const FACTS: HealthyFacts = {
  from: DAY,
  to: new Date(hourAt(24)),
  checks: [CHECK],
  results: Array.from({ length: 24 }, (_, index) => results({ hour: hourAt(index) })),
  chains: new Map(),
  dayMicros: new Map([['2026-11-20', 60_000]]),
  reference: { schedule: USUAL_SCHEDULE, version: null },
};

/** The same day with other results in its first hour. */
const withFirst = (changes: Partial<HourResults>) =>
  FACTS.results.map((each, index) => (index === 0 ? { ...each, ...changes } : each));

const cron = (expression: string) => ({
  reference: { schedule: { kind: 'cron' as const, expression, timeZone: 'UTC' }, version: 3 },
});

describe('[INC-1.2] chains avoided, and healthy days', () => {
  it.each<[string, Partial<HealthyFacts>, Partial<HealthyFigures>]>([
    ['a healthy day', {}, { hours: 24, avoided: 144, unknownSlots: 0 }],
    ['its cost', {}, { days: { count: 1, meanMicros: 60_000 } }],
    ['a day that cost nothing', { dayMicros: new Map() }, { days: { count: 1, meanMicros: 0 } }],
    [
      'chains that started all the same',
      {
        chains: new Map([
          [hourAt(0), 1],
          [hourAt(12), 1],
        ]),
      },
      { avoided: 142 },
    ],
    ['never fewer than none', { chains: new Map([[hourAt(0), 60]]) }, { avoided: 138 }],
    [
      'an hour with a failure avoids nothing, and the day isn’t healthy',
      { results: withFirst({ failing: 1 }) },
      { avoided: 138, unknownSlots: 0, days: null },
    ],
    [
      'an hour without results is unknown',
      { results: FACTS.results.slice(1) },
      { hours: 24, avoided: 138, unknownSlots: 6, days: null },
    ],
    [
      'an hour that isn’t whole doesn’t count',
      { from: new Date(hourAt(0) + 1), to: new Date(hourAt(24) - 1) },
      { hours: 22, avoided: 132, days: null },
    ],
    [
      'a project without checks',
      { checks: [] },
      { hours: 0, avoided: null, unknownSlots: 0, days: null },
    ],
    ['a cron line, its first slot at midnight', cron('0 */6 * * *'), { avoided: 4 }],
    ['a cron line outside of the day', cron('0 9 * * 1-4'), { avoided: 0 }],
    [
      'a schedule of more than an hour',
      { reference: { schedule: { ...USUAL_SCHEDULE, everySeconds: 43_200 }, version: 3 } as never },
      { avoided: 2 },
    ],
    [
      'too many slots to count',
      {
        ...cron('* * * * *'),
        to: new Date(hourAt(48)),
        results: Array.from({ length: 48 }, (_, index) => results({ hour: hourAt(index) })),
      },
      { hours: 48, avoided: null, unknownSlots: 0 },
    ],
  ])('%s', (_case, changes, figures) => {
    expect(healthyFigures({ ...FACTS, ...changes })).toMatchObject(figures);
  });
});

const FIGURES: HealthyFigures = {
  hours: 24,
  reference: { schedule: USUAL_SCHEDULE, version: null },
  avoided: 144,
  unknownSlots: 0,
  days: { count: 1, meanMicros: 60_000 },
};
const HISTORY: CostBasis = {
  ...{ kind: 'history', of: 'project', chains: 40, medianMicros: 30_000, model: 'haiku' },
};
const SPAN = 'the last 7 days';

it.each<[Partial<HealthyFigures>, CostBasis, string]>([
  [
    {},
    HISTORY,
    'Chains avoided: 144. A chain every 10m, the default of projects whose checks ran in chains, would have meant so many more in hours of the last 7 days in which every check passed. At $0.03 a chain, the median of 40 chains of this project, that’s about $4.32.',
  ],
  [
    { reference: { schedule: USUAL_SCHEDULE, version: 3 }, unknownSlots: 6 },
    { kind: 'simulated' },
    'Chains avoided: 144. The schedule of v3, every 10m, when checks ran in chains only, would have meant so many more in hours of the last 7 days in which every check passed. The demo agent’s costs are simulated. For 6 more slots it’s unknown, because results are missing.',
  ],
  [
    {},
    { kind: 'unknown_price', model: 'house-model' },
    'Chains avoided: 144. A chain every 10m, the default of projects whose checks ran in chains, would have meant so many more in hours of the last 7 days in which every check passed. What they would have cost is unknown: no price is known for house-model.',
  ],
  [
    { avoided: 0 },
    HISTORY,
    'Chains avoided: 0. A chain every 10m, the default of projects whose checks ran in chains, would have meant so many more in hours of the last 7 days in which every check passed.',
  ],
  [
    { hours: 0, avoided: null },
    HISTORY,
    'Chains avoided: unknown. No check ran without an agent for a whole hour in the last 7 days.',
  ],
  [
    { avoided: null },
    HISTORY,
    'Chains avoided: unknown. A chain every 10m, the default of projects whose checks ran in chains, has too many slots in the last 7 days to count them.',
  ],
])('[INC-1.2] avoided, in words: %o', (changes, basis, sentence) => {
  expect(avoidedSentence({ ...FIGURES, ...changes }, basis, SPAN)).toBe(sentence);
});

it.each<[HealthyFigures['days'], string]>([
  [
    { count: 1, meanMicros: 60_000 },
    'In the last 7 days, 1 whole day had nothing but healthy results. A healthy day cost $0.06.',
  ],
  [
    { count: 3, meanMicros: 0 },
    'In the last 7 days, 3 whole days had nothing but healthy results. A healthy day cost $0.00 on average.',
  ],
  [
    null,
    'What a healthy day cost is unknown: in the last 7 days, no whole UTC day had nothing but healthy results.',
  ],
])('[INC-1.2] healthy days in words: %o', (days, sentence) => {
  expect(healthyDaySentence({ ...FIGURES, days }, SPAN)).toBe(sentence);
});

const project = (
  changes: Partial<HealthyFigures> = {},
  basis: CostBasis = HISTORY,
): ProjectHealth => ({
  ...{ slug: 'shop', name: 'Shop', figures: { ...FIGURES, ...changes }, basis },
});

it('[INC-1.2] the healthy days of all projects are the sum, each at its own cost', () => {
  const days = (count: number, meanMicros: number) => project({ days: { count, meanMicros } });
  expect(summedDays([days(1, 60_000), days(3, 20_000), project({ days: null })])).toEqual({
    ...{ count: 4, meanMicros: 30_000 },
  });
  expect(summedDays([project({ days: null })])).toBeNull();
});

const COMPARED =
  'Each project is compared with its own schedule when checks ran in chains only, or with the default of then, in hours of the last 7 days in which every check passed.';

it.each<[ProjectHealth[], number, string]>([
  [
    [],
    0,
    'Chains avoided: unknown. No check ran without an agent for a whole hour in the last 7 days.',
  ],
  [
    [project(), project({ avoided: 56, unknownSlots: 1 })],
    2,
    `Chains avoided: 200. ${COMPARED} At what a chain of each project costs, that’s about $6.00. For 1 more slot it’s unknown, because results are missing.`,
  ],
  [
    [project(), project({ avoided: 6 }, { kind: 'simulated' }), project({ avoided: null })],
    40,
    `Chains avoided: 150. ${COMPARED} At what a chain of each project costs, that’s about $4.32. What they would have cost is unknown in 1 project. 1 project with too many slots isn’t counted. Only the 3 projects with the most checks of 40 are counted.`,
  ],
  [[project({ avoided: 0 })], 1, `Chains avoided: 0. ${COMPARED}`],
  [
    [project({ avoided: null })],
    1,
    `Chains avoided: unknown. ${COMPARED} 1 project with too many slots isn’t counted.`,
  ],
])('[INC-1.2] avoided in all projects, in words: %#', (health, projects, sentence) => {
  expect(avoidedInAllSentence(health, projects, SPAN)).toBe(sentence);
});
