import { LogDraft } from './log-draft';
import type { LogRow, StoredEvent } from './log-rows';

export interface LogState {
  rows: readonly LogRow[];
  /** Of the last event taken in; null before the first. */
  lastSeq: number | null;
  lastAt: string | null;
  requestCount: number;
  counts: { calls: number; denied: number; errors: number };
}

export const emptyLog: LogState = {
  rows: [],
  lastSeq: null,
  lastAt: null,
  requestCount: 0,
  counts: { calls: 0, denied: 0, errors: 0 },
};

/**
 * Takes in events in the order of their numbers. One that is already in is passed over, so a
 * reconnect may repeat some; a gap leaves a row that says which are missing. Rows that did not
 * change stay the same objects.
 */
export function appendEvents(state: LogState, events: readonly StoredEvent[]): LogState {
  const fresh = events.filter((event) => state.lastSeq === null || event.seq > state.lastSeq);
  if (fresh.length === 0) return state;
  const draft = new LogDraft(state);
  for (const event of fresh) draft.take(event);
  return draft.finish();
}
