import { expect, it } from 'vitest';
import { isolationSentence, type WaitingRunner, waitSentence, withoutWait } from './wait-sentence';

const runner = (changes: Partial<WaitingRunner> = {}): WaitingRunner => ({
  pool: 'eu',
  status: 'online',
  allowedTiers: [1, 2, 3],
  slots: 4,
  slotsInUse: 0,
  ...changes,
});

it.each<[string, WaitingRunner[], string]>([
  ['nobody', [], 'pool eu has none'],
  ['others only', [runner({ pool: 'us' }), runner({ status: 'revoked' })], 'pool eu has none'],
  ['silent ones', [runner({ status: 'offline' })], 'no runner in pool eu is online'],
  ['lower tiers', [runner({ allowedTiers: [1] })], 'allows tier 2'],
  ['full ones', [runner({ slotsInUse: 4 })], '4 of 4 slots of pool eu are busy'],
  ['a free one', [runner({ slotsInUse: 3 })], '1 of 4 slots are free'],
])('with %s', (_what, runners, words) => {
  expect(waitSentence('eu', 2, runners)).toContain(words);
});

const now = new Date('2026-11-21T15:00:00Z');
const silent = (name: string, lastSeenAt: string) =>
  runner({ status: 'offline', name, lastSeenAt });

it.each<[string, WaitingRunner[], Date | null, string]>([
  [
    'the one that connected last',
    [silent('eu-1', '2026-11-21T14:10:00Z'), silent('eu-2', '2026-11-21T14:48:00Z')],
    now,
    'eu-2 was last seen 12 min ago. Start it',
  ],
  ['hours', [silent('eu-1', '2026-11-21T09:50:00Z')], now, 'last seen 5 h ago'],
  ['days', [silent('eu-1', '2026-11-18T15:00:00Z')], now, 'last seen 3 days ago'],
  ['a text that is kept', [silent('eu-1', '2026-11-21T14:48:31Z')], null, '2026-11-21 14:48 UTC'],
  ['never', [runner({ status: 'never', name: 'eu-1', lastSeenAt: null })], now, 'Start one'],
  [
    'a drained one',
    [silent('eu-2', '2026-11-21T14:10:00Z'), runner({ status: 'draining', name: 'eu-1' })],
    now,
    'Waiting for a runner: eu-1 in pool eu is drained and claims no new work. Resume it',
  ],
  ['a paused one', [runner({ status: 'paused', name: 'eu-1' })], now, 'eu-1 in pool eu is paused'],
  [
    'a drained one for lower tiers',
    [runner({ status: 'draining', name: 'eu-1', allowedTiers: [1] })],
    now,
    'no online runner in pool eu allows tier 2',
  ],
  [
    'a drained one beside one for lower tiers',
    [runner({ allowedTiers: [1] }), runner({ status: 'draining', name: 'eu-1' })],
    now,
    'eu-1 in pool eu is drained',
  ],
])('says who was last there: %s', (_what, runners, at, words) => {
  expect(waitSentence('eu', 2, runners, at)).toContain(words);
});

it('leaves of a stored text what is not said with its reason', () => {
  const statusText = 'Waiting for runner eu-2.';
  expect(withoutWait({ statusText, waitReason: 'runner' })).toBe('');
  expect(withoutWait({ statusText, waitReason: 'host' })).toBe(statusText);
  expect(withoutWait({ statusText, waitReason: null })).toBe(statusText);
});

it.each<[string, Parameters<typeof isolationSentence>[1], Date | null, string]>([
  [
    'a busy one',
    [{ name: 'eu-2', slots: 4, slotsInUse: 4 }],
    now,
    '4 of 4 slots of eu-2 are busy. The chain needs a human if it hasn’t started by 2026-11-21 15:00 UTC.',
  ],
  [
    'two',
    [
      { name: 'eu-2', slots: 4, slotsInUse: 4 },
      { name: 'eu-3', slots: 1, slotsInUse: 0 },
    ],
    null,
    '4 of 4 slots of eu-2 are busy, 0 of 1 slots of eu-3 are busy.',
  ],
  ['none', [], null, 'no such runner in pool eu is online.'],
])(
  '[BND-1.3] says what a start of a confined project waits for: %s',
  (_what, hosts, dueAt, words) => {
    const why = 'Waiting for a runner that can confine agents, because this project is confined: ';
    expect(isolationSentence({ pool: 'eu', dueAt }, hosts)).toBe(`${why}${words}`);
  },
);
