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
import { holdLive, type LiveHold, reportChange } from '../../shell/live-hold';
import { streamOf } from './event-stream';
import {
  emptyFeed,
  estimatedMicros,
  type FeedConnection,
  type FeedState,
  SessionFeed,
  type Standing,
} from './session-feed';

const FeedContext = createContext<SessionFeed | null>(null);
const PricesContext = createContext<PriceTable | null>(null);

interface FeedProviderProps {
  /** Of the session's events; asked for as a stream. */
  url: string;
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
  const { url, lastSeq, isEnded, standing, prices, children } = props;
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
