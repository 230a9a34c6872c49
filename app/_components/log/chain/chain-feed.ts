import { type FeedState, SessionFeed } from '../live/session-feed';
import type { OpenNews } from '../live/session-stream';
import type { ChainLogSession } from './chain-session';

type FollowedSession = Pick<ChainLogSession, 'id' | 'endedAt' | 'events' | 'after' | 'status'>;

export interface SessionState {
  feed: FeedState;
  /** Events up to this number were never asked for. */
  after: number;
}

/** By session, in the order in which the chain reached them. */
export type ChainFeedState = ReadonlyMap<string, SessionState>;

/**
 * The events of all sessions of a chain, as they arrive: one feed for each session, which begins
 * when the session appears. A session that has ended is drawn from what the page brought.
 */
export class ChainFeed {
  private state: ChainFeedState = new Map();
  private readonly feeds = new Map<string, SessionFeed>();
  private readonly listeners = new Set<() => void>();
  private isStarted = false;

  private readonly first: ChainFeedState;

  /**
   * @param open follows a session by its id
   * @param sessions those that the page was made with
   */
  constructor(
    private readonly open: (sessionId: string) => OpenNews,
    sessions: readonly FollowedSession[],
  ) {
    this.take(sessions);
    this.first = this.state;
  }

  /** As the server drew it, for a part of the page that comes alive after events have arrived. */
  readonly getFirstState = (): ChainFeedState => this.first;

  readonly getState = (): ChainFeedState => this.state;

  readonly subscribe = (listener: () => void): (() => void) => {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  };

  /** Takes in sessions that it doesn't have yet; those that it follows know more than the page. */
  take(sessions: readonly FollowedSession[]): void {
    for (const session of sessions) {
      if (!this.feeds.has(session.id)) this.add(session);
    }
  }

  start(): void {
    this.isStarted = true;
    for (const feed of this.feeds.values()) feed.start({ isEnded: false });
  }

  stop(): void {
    this.isStarted = false;
    for (const feed of this.feeds.values()) feed.stop();
  }

  /** At once, without waiting for the next try. */
  readonly reconnect = (): void => {
    for (const feed of this.feeds.values()) {
      if (feed.getState().connection.kind !== 'ended') feed.reconnect();
    }
  };

  private add({ id, endedAt, events, after, status }: FollowedSession): void {
    const feed = new SessionFeed(this.open(id), after, { status, statusText: '' });
    this.feeds.set(id, feed);
    feed.load(events, { after, isWhole: endedAt !== null });
    const keep = () => {
      this.state = new Map(this.state).set(id, { feed: feed.getState(), after });
      for (const listener of this.listeners) listener();
    };
    feed.subscribe(keep);
    keep();
    if (this.isStarted) feed.start({ isEnded: false });
  }
}
