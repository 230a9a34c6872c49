import { expect, it } from 'vitest';
import type { Reach } from '@/app/_components/reach/server-reach';
import { type ConnectionPhase, connectionPhase, connectionState } from './live-connection';

const NOW = Date.parse('2026-11-21T14:00:00.000Z');

/** Last answered, and found down, this many seconds ago. */
function down(answered: number, found: number): Reach {
  return {
    kind: 'down',
    lastAnswerAt: NOW - answered * 1_000,
    downAt: NOW - found * 1_000,
    status: null,
    depth: 'alive',
  };
}

it.each<[string, Reach, ConnectionPhase]>([
  ['reachable', { kind: 'up' }, 'up'],
  ['a restart', down(8, 4), 'reconnecting'],
  ['an outage', down(9, 5), 'offline'],
  ['an outage found by the refresh every 30 s', down(29, 1), 'reconnecting'],
  ['half a minute', down(30, 25), 'long_offline'],
  ['just awake after a night', down(8 * 3_600, 0), 'long_offline'],
])('%s', (_what, reach, phase) => {
  expect(connectionPhase(reach, NOW)).toBe(phase);
});

it('shows the stream’s state while the server is up, and the server’s while it’s down', () => {
  expect(connectionState({ kind: 'up' }, 'up', null)).toBeNull();
  expect(connectionState({ kind: 'up' }, 'up', { kind: 'live' })).toEqual({ kind: 'live' });
  const reach = down(9, 5);
  expect(connectionState(reach, 'reconnecting', { kind: 'live' })).toEqual({
    kind: 'reconnecting',
  });
  expect(connectionState(reach, 'offline', { kind: 'live' })).toEqual({
    kind: 'offline',
    since: '2026-11-21T13:59:51.000Z',
  });
});
