import { expect, it } from 'vitest';
import { isAble, isFit, obstacleOf, type PoolHost } from './pool-hosts';

const HOST: PoolHost = {
  ...{ id: '1', name: 'r1', status: 'online', allowsTier: true, isTooOld: false },
  ...{ isCliDenied: false, canConfine: true, unproven: null },
};
const unproven = (detail: string | null) => ({ runner: 'r1', agent: 'Claude Code', detail });

it.each<[string, Partial<PoolHost>, { able: boolean; fit: boolean }]>([
  ['has what it needs', {}, { able: true, fit: true }],
  ['runs its canary', { unproven: unproven(null) }, { able: false, fit: true }],
  ['has failed its canary', { unproven: unproven('It ran it.') }, { able: false, fit: false }],
  ['is offline', { status: 'offline' }, { able: false, fit: false }],
  ['has never connected', { status: 'never' }, { able: false, fit: false }],
  ['is drained', { status: 'draining' }, { able: false, fit: false }],
  ['is paused', { status: 'paused' }, { able: false, fit: false }],
  ['is revoked', { status: 'revoked' }, { able: false, fit: false }],
  ['is for other tiers', { allowsTier: false }, { able: false, fit: false }],
  ['is too old', { isTooOld: true }, { able: false, fit: false }],
  ['has a denied version', { isCliDenied: true }, { able: false, fit: false }],
  ['can’t confine agents', { canConfine: false }, { able: false, fit: false }],
])('[BND-1.3] a host that %s: %j', (_what, change, expected) => {
  const host = { ...HOST, ...change };
  expect({ able: isAble(host), fit: isFit(host) }).toEqual(expected);
  expect(obstacleOf(host) === null).toBe(expected.fit);
});
