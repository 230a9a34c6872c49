import { expect, it } from 'vitest';
import { type StartFacts, startRefusal } from './start-refusal';

const pausedAt = new Date('2026-11-21T14:00:00Z');
const open: StartFacts = {
  tier: 1,
  organization: { name: 'Acme', pausedAt: null, pausedBy: null },
  project: { name: 'Checkout', pausedAt: null, pausedBy: null },
  tierPauses: [],
  window: null,
};
const window = {
  name: 'Patching',
  effect: 'no_cycles',
  startsAt: pausedAt,
  endsAt: new Date('2026-11-21T15:00:00Z'),
} as const;
const closed = 'the maintenance window “Patching” is open until 2026-11-21 15:00 UTC.';

it.each<[Partial<StartFacts>, string | null]>([
  [{}, null],
  [
    { organization: { name: 'Acme', pausedAt, pausedBy: 'Ana' } },
    'Acme is paused by Ana. Resume it first.',
  ],
  [
    { project: { name: 'Checkout', pausedAt, pausedBy: 'Ana' } },
    'Checkout is paused by Ana. Resume it first.',
  ],
  [
    { tierPauses: [{ tier: 1, pausedBy: 'Ana' }] },
    'Tier 1 of Checkout is paused by Ana. Resume it first.',
  ],
  [{ tierPauses: [{ tier: 2, pausedBy: 'Ana' }] }, null],
  [{ window }, `Nothing was started: ${closed} Wait for its end, or change it in the settings.`],
  [{ window: { ...window, effect: 'observe_only' } }, null],
  [
    { tier: 2, window: { ...window, effect: 'observe_only' } },
    `Nothing was started: ${closed} Only tier 1 may start. Wait for its end, or change it in the settings.`,
  ],
])('[SAS-4.3] a start by hand with %j', (facts, sentence) => {
  expect(startRefusal({ ...open, ...facts })).toBe(sentence);
});
