/**
 * What a tab and the browser's live connection tell each other. Topics are ids: `org_…`, `prj_…`
 * or `ses_…`.
 */

/** From a tab. */
export type TabMessage =
  /**
   * The tab is visible and follows these topics, instead of those before. Sent again every
   * `ALIVE_MS`, since nothing else says that a tab has crashed.
   */
  | { kind: 'follow'; topics: readonly string[] }
  /** The tab is hidden or closed. */
  | { kind: 'leave' }
  /** The server answers again: connect now. */
  | { kind: 'retry' };

/** From the connection. */
export type ConnectionMessage =
  /** Sent after each `follow`, and when it changes. */
  | { kind: 'state'; state: StreamState }
  /** These topics of the tab changed, or may have. */
  | { kind: 'changed'; topics: readonly string[] };

export type StreamState = 'connecting' | 'live' | 'broken';

export const ALIVE_MS = 15_000;
