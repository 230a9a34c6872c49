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
import { formatCostExact, formatRunningCost } from '@/lib/platform/format/cost';
import { reportChange } from '../../live/report-change';
import { Cost, Unknown } from '../../status/cost';
import { estimatedMicros } from '../live/session-feed';
import { followSession } from '../live/session-stream';
import { ChainFeed, type ChainFeedState } from './chain-feed';
import type { ChainLogSession } from './chain-session';

interface ChainFeedValue {
  feed: ChainFeed;
  /** As the page knew them when it was last made. */
  sessions: readonly ChainLogSession[];
}

const ChainFeedContext = createContext<ChainFeedValue | null>(null);

interface ChainFeedProviderProps {
  organizationSlug: string;
  /** `prj_…` */
  projectId: string;
  sessions: readonly ChainLogSession[];
  children: ReactNode;
}

/** Follows every session of a chain: the log draws from it, and the cost so far counts with it. */
export function ChainFeedProvider(props: ChainFeedProviderProps) {
  const { organizationSlug, projectId, sessions, children } = props;
  const [feed] = useState(
    () => new ChainFeed((id) => followSession({ organizationSlug, id, projectId }), sessions),
  );
  useEffect(() => feed.take(sessions), [feed, sessions]);
  useEffect(() => {
    feed.start();
    return () => feed.stop();
  }, [feed]);
  useEffect(() => {
    let known = standingsOf(feed.getState());
    return feed.subscribe(() => {
      const now = standingsOf(feed.getState());
      // What follows (a decision, the next session, the outcome) is on the page and in no event.
      if (now !== known) reportChange();
      known = now;
    });
  }, [feed]);
  const value = useMemo(() => ({ feed, sessions }), [feed, sessions]);
  return <ChainFeedContext value={value}>{children}</ChainFeedContext>;
}

function standingsOf(state: ChainFeedState): string {
  return [...state.values()].map(({ feed }) => feed.standing?.status).join(' ');
}

export function useChainFeed(): ChainFeedValue {
  const value = useContext(ChainFeedContext);
  if (!value) throw new Error('A chain’s log stands inside a ChainFeedProvider.');
  return value;
}

export function useChainFeedState(): ChainFeedState {
  const { feed } = useChainFeed();
  return useSyncExternalStore(feed.subscribe, feed.getState, feed.getFirstState);
}

interface ChainCostProps {
  /** Of the ledger, in micro-dollars; null while it has no row. */
  bookedMicros: number | null;
  /** Sessions that run and have no ledger row yet, with the prices of their agent. */
  running: readonly { sessionId: string; prices: PriceTable | null }[];
}

/** "$0.12 so far": what the ledger has, and the requests seen since by list prices. */
export function ChainCostSoFar({ bookedMicros, running }: ChainCostProps) {
  const state = useChainFeedState();
  const estimated = running.reduce((sum, { sessionId, prices }) => {
    const session = state.get(sessionId);
    return sum + (session ? estimatedMicros(session.feed, prices) : 0);
  }, 0);
  if (estimated === 0) {
    return bookedMicros === null ? (
      <Unknown reason="No request has been seen yet" />
    ) : (
      <Cost micros={bookedMicros} form="running" />
    );
  }
  const micros = (bookedMicros ?? 0) + estimated;
  return (
    <span
      className="whitespace-nowrap tabular-nums"
      title={`${formatCostExact(micros)}, of which ${formatCostExact(estimated)} by list prices; a process reports its cost when it ends`}
    >
      {formatRunningCost(micros)}
    </span>
  );
}
