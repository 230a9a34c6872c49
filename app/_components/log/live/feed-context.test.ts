import { expect, it } from 'vitest';
import { liveHoldOf } from './feed-context';
import type { FeedConnection } from './session-feed';

const since = Date.parse('2026-11-21T14:00:00.000Z');

it.each<[string, FeedConnection, number, ReturnType<typeof liveHoldOf>]>([
  ['connecting', { kind: 'connecting' }, 0, { state: null }],
  ['live', { kind: 'live' }, 0, { state: { kind: 'live' } }],
  ['just broken', { kind: 'broken', since }, 5_000, { state: { kind: 'reconnecting' } }],
  [
    'long broken',
    { kind: 'broken', since },
    31_000,
    { state: { kind: 'offline', since: '2026-11-21T14:00:00.000Z' } },
  ],
  ['ended: the hints take over', { kind: 'ended' }, 0, null],
  ['refused', { kind: 'refused', status: 404 }, 0, null],
])('%s', (_what, connection, afterMs, hold) => {
  expect(liveHoldOf(connection, since + afterMs)).toEqual(hold);
});
