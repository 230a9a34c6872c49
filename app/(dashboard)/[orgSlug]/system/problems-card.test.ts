import { expect, it } from 'vitest';
import { systemSentence } from './problems-card';

const now = new Date('2026-11-24T03:00:00Z');
const at = (seconds: number) => new Date(now.getTime() - seconds * 1_000);
const facts = {
  database: { isUp: true, version: '18.1', answerMs: 1 },
  queue: { isUp: true, backend: 'PostgreSQL' as const },
  worker: { isUp: true, lastSeenAt: at(3) },
  leaseClock: { isUp: true },
  sweeps: [
    { name: 'start-due-chains', dueAt: at(2) },
    { name: 'prune', dueAt: at(-1_800) },
  ],
};

it.each([
  ['The database, the queue, the worker and the lease clock are up.', {}],
  [
    'The worker is running, but start-due-chains is late.',
    { sweeps: [{ name: 'start-due-chains', dueAt: at(61) }] },
  ],
  [
    'No worker is running. Due chains don’t start, and ended sessions aren’t settled.',
    { worker: { isUp: false, lastSeenAt: null } },
  ],
  [
    'The queue is down. Running sessions continue, but nothing new starts.',
    { queue: { isUp: false, backend: 'Redis' as const } },
  ],
  [
    'The database is down. Nothing runs until it is back.',
    {
      database: { isUp: false, version: null, answerMs: null },
      worker: { isUp: false, lastSeenAt: null },
    },
  ],
])('%s', (sentence, change) => {
  expect(systemSentence({ ...facts, ...change }, now)).toBe(sentence);
});

it.each([
  ['The database, the queue, the worker and the lease clock are up, but 1 problem is open.', 1],
  ['The database, the queue, the worker and the lease clock are up, but 2 problems are open.', 2],
])('[INC-4.1] %s', (sentence, open) => {
  expect(systemSentence(facts, now, open)).toBe(sentence);
});
