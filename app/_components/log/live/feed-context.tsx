'use client';

import {
  createContext,
  type ReactNode,
  useContext,
  useEffect,
  useMemo,
  useState,
  useSyncExternalStore,
} from 'react';
import type { PriceTable } from '@/lib/agents/prices';
import type { SessionEventDto } from '@/lib/insight/sessions/schema';
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

interface Costs {
  prices: PriceTable | null;
  booked: Booked;
}

/** What the ledger has of the session. */
export interface Booked {
  micros: number;
  /** `att_…` of the attempts that are in it. */
  attemptIds: readonly string[];
}

const NOTHING_BOOKED: Booked = { micros: 0, attemptIds: [] };
const CostsContext = createContext<Costs>({ prices: null, booked: NOTHING_BOOKED });

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
  /** What the requests up to `lastSeq` used, while the session runs. */
  usages?: readonly SessionEventDto[];
  booked?: Booked;
  children: ReactNode;
}

/** The one stream of a session's pages: the log draws from it, the header reads it. */
export function FeedProvider(props: FeedProviderProps) {
  const { organizationSlug, sessionId, projectId } = props;
  const { lastSeq, isEnded, standing, prices, booked = NOTHING_BOOKED, children } = props;
  const [feed] = useState(() => {
    const open = followSession({ organizationSlug, id: sessionId, projectId });
    return new SessionFeed(open, lastSeq, standing, props.usages);
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

  const costs = useMemo(() => ({ prices, booked }), [prices, booked]);
  return (
    <FeedContext value={feed}>
      <CostsContext value={costs}>{children}</CostsContext>
    </FeedContext>
  );
}

export function useFeed(): SessionFeed | null {
  return useContext(FeedContext);
}

interface RunningCost {
  /** Micro-dollars: booked, and estimated by the agent's list prices; null while nothing is known. */
  micros: number | null;
  isEstimate: boolean;
  /** Why it isn't known. */
  reason: string;
}

/** What a session has cost so far. */
export function useRunningCost(): RunningCost {
  const state = useFeedState();
  const { prices, booked } = useContext(CostsContext);
  const estimate = estimatedMicros(state, prices, booked.attemptIds);
  const micros = booked.micros + estimate;
  return {
    micros: micros === 0 ? null : micros,
    isEstimate: estimate > 0,
    reason:
      prices === null
        ? 'No price list is known for this agent. The process reports its cost when it ends.'
        : 'No request has reported its tokens yet.',
  };
}

const subscribeToNothing = () => () => undefined;

export function useFeedState(): FeedState {
  const feed = useFeed();
  const read = () => feed?.getState() ?? emptyFeed;
  const readFirst = () => feed?.getFirstState() ?? emptyFeed;
  return useSyncExternalStore(feed?.subscribe ?? subscribeToNothing, read, readFirst);
}
