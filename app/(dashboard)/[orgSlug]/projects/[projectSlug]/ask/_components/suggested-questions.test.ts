import { expect, it } from 'vitest';
import {
  type AskedChain,
  chainQuestions,
  type ExampleFacts,
  exampleQuestions,
} from './suggested-questions';

const HEALTHY: AskedChain = {
  number: 5,
  outcome: 'healthy',
  servicesAffected: [],
  highestTier: 1,
  totalCostUsd: 0.004,
  hasActed: false,
  restarted: [],
};
const FIXED = {
  ...HEALTHY,
  outcome: 'fixed',
  servicesAffected: ['web'],
  highestTier: 2,
  totalCostUsd: 0.04,
  hasActed: true,
  restarted: ['web'],
};

it.each([
  [HEALTHY, ['How do things stand?', 'What would you do next?']],
  [
    FIXED,
    ['Why did you restart web?', 'What changed?', 'Is web healthy now?', 'What would you do next?'],
  ],
  [
    { ...FIXED, outcome: 'needs_human', hasActed: false, restarted: [], highestTier: 1 },
    ['Why does Chain #5 need a human?', 'Is web healthy now?', 'What would you do next?'],
  ],
  [
    { ...FIXED, outcome: 'findings', hasActed: false, restarted: [], highestTier: 2 },
    [
      'What was wrong with web?',
      'Is web healthy now?',
      'What would you do next?',
      'What did the $0.04 go to?',
    ],
  ],
])('[PAG-2.2] a chain suggests questions about what it did %#', (chain, questions) => {
  expect(chainQuestions(chain)).toEqual(questions);
});

const NEW: ExampleFacts = {
  projectName: 'Checkout',
  needsHuman: null,
  fixed: null,
  services: [],
  dayMicros: 0,
  monthMicros: 0,
};

it('asks about what is in trouble first', () => {
  const questions = exampleQuestions({
    ...NEW,
    needsHuman: { number: 12 },
    fixed: { number: 9, services: ['web'] },
    services: [
      { name: 'api', status: 'healthy' },
      { name: 'payments-db', status: 'down' },
    ],
    dayMicros: 2_830_000,
    monthMicros: 2_830_000,
  });
  expect(questions).toEqual([
    'Why does Chain #12 need a human?',
    'Is payments-db still down, and since when?',
    'What was done to web in Chain #9, and did it last?',
  ]);
});

it('asks about cost where nothing is in trouble', () => {
  expect(
    exampleQuestions({
      ...NEW,
      services: [{ name: 'api', status: 'healthy' }],
      dayMicros: 30_000,
      monthMicros: 2_830_000,
    }),
  ).toEqual([
    'Where did today’s $0.03 go?',
    'Where did this month’s $2.83 go?',
    'Is api healthy now?',
  ]);
});

it('asks about a sum once, and about none that is next to nothing', () => {
  const of = (dayMicros: number, monthMicros: number) =>
    exampleQuestions({ ...NEW, dayMicros, monthMicros }).filter((text) => /^Where did/.test(text));
  expect(of(30_000, 30_000)).toEqual(['Where did today’s $0.03 go?']);
  expect(of(9_000, 9_000)).toEqual([]);
});

it('has three for a project in which nothing has happened', () => {
  expect(exampleQuestions(NEW)).toHaveLength(3);
});
