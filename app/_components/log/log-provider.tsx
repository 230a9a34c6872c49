'use client';

import {
  createContext,
  type ReactNode,
  useContext,
  useEffect,
  useState,
  useSyncExternalStore,
} from 'react';
import { formatCostExact, formatRunningCost } from '@/lib/platform/format/cost';
import { liveClient } from '../live/live-client';
import { reportChange } from '../live/report-change';
import { Tooltip } from '../ui/tooltip';
import { estimatedMicros, type FollowedSession, LogFeed, type LogStates } from './feed';
import { followSession } from './stream';

const FeedContext = createContext<LogFeed | null>(null);

interface LogProviderProps {
  organizationSlug: string;
  /** `prj_…` */
  projectId: string;
  /** As the page knows them; what follows comes with their streams. */
  sessions: readonly FollowedSession[];
  children: ReactNode;
}

/** Follows the sessions of a page: its log draws from it, and the cost so far counts with it. */
export function LogProvider(props: LogProviderProps) {
  const { organizationSlug, projectId, sessions, children } = props;
  const [feed] = useState(
    () => new LogFeed((id) => followSession({ organizationSlug, id, projectId }), sessions),
  );
  useEffect(() => feed.take(sessions), [feed, sessions]);
  useEffect(() => {
    feed.start();
    return () => feed.stop();
  }, [feed]);

  const running = sessions.filter(({ isEnded }) => !isEnded).map(({ id }) => id);
  const topics = running.join(' ');
  useEffect(() => {
    if (topics === '') return;
    // Held over breaks as well, so that the connection covers the sessions as soon as it is back.
    return liveClient.follow({ topics: topics.split(' '), onChanged: () => undefined });
  }, [topics]);

  useEffect(() => {
    let known = notedOf(feed.getState());
    return feed.subscribe(() => {
      const now = notedOf(feed.getState());
      // What follows (a decision, a checkpoint, the next session) is on the page and in no event.
      if (now !== known) reportChange();
      known = now;
    });
  }, [feed]);
  return <FeedContext value={feed}>{children}</FeedContext>;
}

function notedOf(states: LogStates): string {
  return [...states.values()]
    .map(({ standing, notedSeq }) => `${standing?.status} ${standing?.statusText} ${notedSeq}`)
    .join('\n');
}

export function useLogFeed(): LogFeed {
  const feed = useContext(FeedContext);
  if (!feed) throw new Error('A log needs a LogProvider around it.');
  return feed;
}

export function useLogStates(): LogStates {
  const feed = useLogFeed();
  return useSyncExternalStore(feed.subscribe, feed.getState, feed.getFirstState);
}

/** What the ledger has of the sessions. */
export interface Booked {
  micros: number;
  /** `att_…` of the attempts that are in it. */
  attemptIds: readonly string[];
}

interface RunningCost {
  /** Micro-dollars: booked, and estimated by the agents' list prices; null while nothing is known. */
  micros: number | null;
  isEstimate: boolean;
  /** Why it isn't known. */
  reason: string;
}

/**
 * Returns what sessions have cost so far.
 *
 * @param sessionIds all of the page, if not given
 */
export function useRunningCost(booked: Booked, sessionIds?: readonly string[]): RunningCost {
  const states = [...useLogStates()].flatMap(([id, state]) =>
    sessionIds?.includes(id) === false ? [] : state,
  );
  const estimate = states.reduce(
    (sum, state) => sum + estimatedMicros(state, state.prices, booked.attemptIds),
    0,
  );
  const micros = booked.micros + estimate;
  return {
    micros: micros === 0 ? null : micros,
    isEstimate: estimate > 0,
    reason: states.every(({ prices }) => prices === null)
      ? 'No price list is known for this agent. The process reports its cost when it ends.'
      : 'No request has reported its tokens yet.',
  };
}

const NOTHING_BOOKED: Booked = { micros: 0, attemptIds: [] };

interface LiveCostProps {
  booked?: Booked;
  sessionIds?: readonly string[];
  /** Inside a link: the tip comes on hover only. */
  isPlain?: boolean;
}

/** "$0.12 so far est."; a dash with its reason while nothing is known. Focus shows the tip, too. */
export function LiveCost({ booked = NOTHING_BOOKED, sessionIds, isPlain }: LiveCostProps) {
  const { micros, isEstimate, reason } = useRunningCost(booked, sessionIds);
  const tip =
    micros === null
      ? reason
      : isEstimate
        ? `${formatCostExact(micros)} by list prices. The process reports its cost when it ends.`
        : `${formatCostExact(micros)}, as reported by processes that have ended.`;
  const cost =
    micros === null ? (
      <>
        <span aria-hidden>—</span>
        <span className="sr-only">Cost unknown: {reason}</span>
      </>
    ) : (
      <>
        {formatRunningCost(micros)}
        {isEstimate ? <span className="text-text-3"> est.</span> : null}
      </>
    );
  if (isPlain) return <span title={tip}>{cost}</span>;
  return (
    <Tooltip tip={tip}>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: its tip must be within reach of the keyboard */}
      <span tabIndex={0} className="whitespace-nowrap rounded-badge tabular-nums">
        {cost}
      </span>
    </Tooltip>
  );
}
