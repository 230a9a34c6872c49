'use client';

import {
  createContext,
  type ReactNode,
  useContext,
  useEffect,
  useState,
  useSyncExternalStore,
} from 'react';
import { holdLive, type LiveHold, reportChange } from '../../shell/live-hold';
import { streamOf } from './event-stream';
import {
  emptyFeed,
  type FeedConnection,
  type FeedState,
  SessionFeed,
  type Standing,
} from './session-feed';

const FeedContext = createContext<SessionFeed | null>(null);

interface FeedProviderProps {
  /** Of the session's events; asked for as a stream. */
  url: string;
  /** Number of its newest event when the page was made. */
  lastSeq: number;
  /** It ended: only a log that is looked at needs its events. */
  isEnded: boolean;
  /** Where the session stood then; the page is asked for again when the stream says otherwise. */
  standing: Standing;
  children: ReactNode;
}

/** The one stream of a session's pages: the log draws from it, the header reads it. */
export function FeedProvider({ url, lastSeq, isEnded, standing, children }: FeedProviderProps) {
  const [feed] = useState(() => new SessionFeed(streamOf(url), lastSeq, standing));

  useEffect(() => {
    feed.start({ isEnded });
    return () => feed.stop();
  }, [feed, isEnded]);

  useEffect(() => {
    let known = feed.getState().standing;
    let knownCheckpoint = lastSeq;
    const tell = () => {
      const state = feed.getState();
      holdLive(liveHoldOf(state.connection, Date.now()));
      const isNews = state.standing !== known || state.checkpointSeq > knownCheckpoint;
      if (isNews) reportChange();
      known = state.standing;
      knownCheckpoint = Math.max(knownCheckpoint, state.checkpointSeq);
    };
    tell();
    const unsubscribe = feed.subscribe(tell);
    return () => {
      unsubscribe();
      holdLive(null);
    };
  }, [feed, lastSeq]);

  return <FeedContext value={feed}>{children}</FeedContext>;
}

export function useFeed(): SessionFeed | null {
  return useContext(FeedContext);
}

const subscribeToNothing = () => () => undefined;

export function useFeedState(): FeedState {
  const feed = useFeed();
  const read = () => feed?.getState() ?? emptyFeed;
  return useSyncExternalStore(feed?.subscribe ?? subscribeToNothing, read, () => emptyFeed);
}

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
