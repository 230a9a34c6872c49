'use client';

import {
  createContext,
  type ReactNode,
  useContext,
  useEffect,
  useState,
  useSyncExternalStore,
} from 'react';
import type { PriceTable } from '@/lib/agents/prices';
import { liveClient } from '../../live/live-client';
import { reportChange } from '../../live/report-change';
import {
  emptyFeed,
  estimatedMicros,
  type FeedState,
  SessionFeed,
  type Standing,
} from './session-feed';
import { followSession } from './session-stream';

const FeedContext = createContext<SessionFeed | null>(null);
const PricesContext = createContext<PriceTable | null>(null);

interface FeedProviderProps {
  organizationSlug: string;
  /** `ses_…` */
  sessionId: string;
  /** `prj_…` */
  projectId: string;
  /** Number of its newest event when the page was made. */
  lastSeq: number;
  /** It ended: only a log that is looked at needs its events. */
  isEnded: boolean;
  /** Where the session stood then; the page is asked for again when the stream says otherwise. */
  standing: Standing;
  /** Of the agent that works; null where that isn't known yet. */
  prices: PriceTable | null;
  children: ReactNode;
}

/** The one stream of a session's pages: the log draws from it, the header reads it. */
export function FeedProvider(props: FeedProviderProps) {
  const { organizationSlug, sessionId, projectId } = props;
  const { lastSeq, isEnded, standing, prices, children } = props;
  const [feed] = useState(() => {
    const open = followSession({ organizationSlug, id: sessionId, projectId });
    return new SessionFeed(open, lastSeq, standing);
  });

  useEffect(() => {
    feed.start({ isEnded });
    // Held over breaks as well, so that the connection covers the session as soon as it is back.
    const unfollow = isEnded
      ? undefined
      : liveClient.follow({ topics: [sessionId], onChanged: () => undefined });
    return () => {
      feed.stop();
      unfollow?.();
    };
  }, [feed, isEnded, sessionId]);

  useEffect(() => {
    let known = feed.getState().standing;
    let knownCheckpoint = lastSeq;
    const tell = () => {
      const state = feed.getState();
      const isNews = state.standing !== known || state.checkpointSeq > knownCheckpoint;
      if (isNews) reportChange();
      known = state.standing;
      knownCheckpoint = Math.max(knownCheckpoint, state.checkpointSeq);
    };
    tell();
    return feed.subscribe(tell);
  }, [feed, lastSeq]);

  return (
    <FeedContext value={feed}>
      <PricesContext value={prices}>{children}</PricesContext>
    </FeedContext>
  );
}

export function useFeed(): SessionFeed | null {
  return useContext(FeedContext);
}

/** Of what has been seen so far, in micro-dollars, by the list prices of the agent. */
export function useEstimatedMicros(): number {
  return estimatedMicros(useFeedState(), useContext(PricesContext));
}

const subscribeToNothing = () => () => undefined;

export function useFeedState(): FeedState {
  const feed = useFeed();
  const read = () => feed?.getState() ?? emptyFeed;
  return useSyncExternalStore(feed?.subscribe ?? subscribeToNothing, read, () => emptyFeed);
}
