'use client';

import {
  createContext,
  type ReactNode,
  useContext,
  useEffect,
  useState,
  useSyncExternalStore,
} from 'react';
import { holdLive, reportChange } from '../../shell/live-hold';
import { streamOf } from './event-stream';
import { liveStateOf } from './live-state';
import { emptyFeed, type FeedState, SessionFeed } from './session-feed';

const FeedContext = createContext<SessionFeed | null>(null);

interface FeedProviderProps {
  /** Of the session's events; asked for as a stream. */
  url: string;
  /** Number of its newest event when the page was made. */
  lastSeq: number;
  /** It ended: only a log that is looked at needs its events. */
  isEnded: boolean;
  children: ReactNode;
}

/** The one stream of a session's pages: the log draws from it, the header reads it. */
export function FeedProvider({ url, lastSeq, isEnded, children }: FeedProviderProps) {
  const [feed] = useState(() => new SessionFeed(streamOf(url), lastSeq));

  useEffect(() => {
    feed.start({ isEnded });
    return () => feed.stop();
  }, [feed, isEnded]);

  useEffect(() => {
    let { standing } = feed.getState();
    const tell = () => {
      const state = feed.getState();
      holdLive(liveStateOf(state.connection));
      if (state.standing !== standing) reportChange();
      standing = state.standing;
    };
    tell();
    const unsubscribe = feed.subscribe(tell);
    return () => {
      unsubscribe();
      holdLive(null);
    };
  }, [feed]);

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
