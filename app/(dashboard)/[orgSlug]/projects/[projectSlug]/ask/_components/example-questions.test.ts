import { expect, it } from 'vitest';
import { type ExampleFacts, exampleQuestions } from './example-questions';

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
