import type { LiveState } from '../../shell/live-context';
import type { FeedConnection } from './session-feed';

/** How the tab's stream is while a log holds it; null when the log needs none. */
export function liveStateOf(connection: FeedConnection): LiveState | null {
  switch (connection.kind) {
    case 'live':
      return { kind: 'live' };
    case 'connecting':
    case 'broken':
      return { kind: 'reconnecting' };
    case 'idle':
    case 'refused':
    case 'ended':
      return null;
  }
}
