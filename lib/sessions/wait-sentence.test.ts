import { expect, it } from 'vitest';
import { type WaitingRunner, waitSentence } from './wait-sentence';

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
  ['silent ones', [runner({ status: 'offline' })], 'none of pool eu is online'],
  ['lower tiers', [runner({ allowedTiers: [1] })], 'may take tier 2'],
  ['full ones', [runner({ slotsInUse: 4 })], '4 of 4 slots of pool eu are busy'],
  ['a free one', [runner({ slotsInUse: 3 })], '1 of 4 slots are free'],
])('with %s', (_what, runners, words) => {
  expect(waitSentence('eu', 2, runners)).toContain(words);
});
