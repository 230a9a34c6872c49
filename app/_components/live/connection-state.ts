import type { Reach } from '@/app/_components/reach/server-reach';

export type LiveState =
  | { kind: 'live' }
  | { kind: 'reconnecting' }
  /** `since`: when the data on the page was last known to be true. */
  | { kind: 'offline'; since: string };

/** A restart or a short break in the network is over by then. */
const SHORT_BREAK_MS = 5_000;
/** While the page refreshes, its data is never this old: the computer slept, or the tab was hidden. */
const FRESH_MS = 60_000;
const LONG_MS = 30_000;

export type ConnectionPhase = 'up' | 'reconnecting' | 'offline' | 'long_offline';

export function connectionPhase(reach: Reach, nowMs: number): ConnectionPhase {
  if (reach.kind === 'up') return 'up';
  const { lastAnswerAt, downAt } = reach;
  if (nowMs - downAt < SHORT_BREAK_MS && downAt - lastAnswerAt < FRESH_MS) return 'reconnecting';
  return nowMs - lastAnswerAt < LONG_MS ? 'offline' : 'long_offline';
}

/** What the connection mark shows: the state of the page's stream, unless the server is down. */
export function connectionState(
  reach: Reach,
  phase: ConnectionPhase,
  stream: LiveState | null,
): LiveState | null {
  if (reach.kind === 'up') return stream;
  if (phase === 'up' || phase === 'reconnecting') return { kind: 'reconnecting' };
  return { kind: 'offline', since: new Date(reach.lastAnswerAt).toISOString() };
}
