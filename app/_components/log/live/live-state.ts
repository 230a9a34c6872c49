import type { LiveHold } from '../../shell/live-hold';
import type { FeedConnection } from './session-feed';

const OFFLINE_AFTER_MS = 30_000;

/** What a log's stream says of the tab's connection; null when the log needs none. */
export function liveHoldOf(connection: FeedConnection, nowMs: number): LiveHold | null {
  switch (connection.kind) {
    case 'connecting':
      return { state: null };
    case 'live':
      return { state: { kind: 'live' } };
    case 'broken':
      return nowMs - connection.since > OFFLINE_AFTER_MS
        ? { state: { kind: 'offline', since: new Date(connection.since).toISOString() } }
        : { state: { kind: 'reconnecting' } };
    case 'idle':
    case 'refused':
    case 'ended':
      return null;
  }
}
