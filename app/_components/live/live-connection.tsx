'use client';

import { useRouter } from 'next/navigation';
import {
  createContext,
  type ReactNode,
  useCallback,
  useContext,
  useEffect,
  useMemo,
  useRef,
  useSyncExternalStore,
  useTransition,
} from 'react';
import { pageVersion } from '@/app/_components/reach/page-version';
import { type Reach, serverReach } from '@/app/_components/reach/server-reach';
import { useClockText } from '@/app/_components/status/clock';
import { liveClient } from './live-client';
import type { StreamState } from './messages';
import { onReportedChange } from './report-change';

/** Null where a page has nothing live. */
const LiveContext = createContext<LiveState | null>(null);

/** How the page's connection is, for the top bar. */
export function useLiveState(): LiveState | null {
  return useContext(LiveContext);
}

interface LiveConnectionProps {
  /** What the page shows: `prj_…` or `org_…`. The page is refreshed when it changes. */
  topic: string;
  children: ReactNode;
}

/** Keeps a page current over the browser's live connection, and knows how that connection is. */
export function LiveConnection({ topic, children }: LiveConnectionProps) {
  const refresh = useMergedRefresh();
  useEffect(() => onReportedChange(refresh), [refresh]);
  useEffect(() => {
    let unfollow: (() => void) | undefined;
    const cancel = whenArrived(() => {
      unfollow = liveClient.follow({ topics: [topic], onChanged: refresh });
    });
    return () => {
      cancel();
      unfollow?.();
    };
  }, [topic, refresh]);
  return <LiveContext value={useConnectionState()}>{children}</LiveContext>;
}

const STREAM_STATES: Record<StreamState, LiveState | null> = {
  connecting: null,
  live: { kind: 'live' },
  broken: { kind: 'reconnecting' },
};

function useConnectionState(): LiveState | null {
  const stream = useSyncExternalStore<StreamState>(
    liveClient.subscribe,
    liveClient.getState,
    () => 'connecting',
  );
  const { reach, phase } = useConnectionPhase();
  return useMemo(
    () => connectionState(reach, phase, STREAM_STATES[stream]),
    [reach, phase, stream],
  );
}

/** React may still move streamed parts into place for this long after the document has ended. */
const PLACING_MS = 500;

/**
 * Calls once the page is whole. What changes a context above a part that is still on its way has
 * React render that part again beside the server's copy. @returns a function that cancels it
 */
function whenArrived(then: () => void): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const place = () => {
    const [load] = performance.getEntriesByType('navigation') as PerformanceNavigationTiming[];
    const endedAt = load?.domInteractive ?? 0;
    timer = setTimeout(then, Math.max(0, endedAt + PLACING_MS - performance.now()));
  };
  if (document.readyState !== 'loading') place();
  else document.addEventListener('DOMContentLoaded', place, { once: true });
  return () => {
    document.removeEventListener('DOMContentLoaded', place);
    clearTimeout(timer);
  };
}

const UP: Reach = { kind: 'up' };

/** Whether the server can be reached, and for how long it couldn't be. */
export function useConnectionPhase(): { reach: Reach; phase: ConnectionPhase } {
  const reach = useSyncExternalStore(serverReach.subscribe, serverReach.getState, () => UP);
  const phase = useClockText((nowMs) => connectionPhase(reach, nowMs), reach.kind === 'down');
  return { reach, phase };
}

type LiveState =
  | { kind: 'live' }
  | { kind: 'reconnecting' }
  /** `since`: when the data on the page was last known to be true. */
  | { kind: 'offline'; since: string };

/** A restart or a short break in the network is over by then. */
const SHORT_BREAK_MS = 5_000;
/** While the page refreshes, its data is never this old: the computer slept, or the tab was hidden. */
const FRESH_MS = 60_000;
const LONG_MS = 30_000;

export type ConnectionPhase = 'up' | 'reconnecting' | 'offline' | 'long_offline';

export function connectionPhase(reach: Reach, nowMs: number): ConnectionPhase {
  if (reach.kind === 'up') return 'up';
  const { lastAnswerAt, downAt } = reach;
  if (nowMs - downAt < SHORT_BREAK_MS && downAt - lastAnswerAt < FRESH_MS) return 'reconnecting';
  return nowMs - lastAnswerAt < LONG_MS ? 'offline' : 'long_offline';
}

/** What the connection mark shows: the state of the page's stream, unless the server is down. */
export function connectionState(
  reach: Reach,
  phase: ConnectionPhase,
  stream: LiveState | null,
): LiveState | null {
  if (reach.kind === 'up') return stream;
  if (phase === 'up' || phase === 'reconnecting') return { kind: 'reconnecting' };
  return { kind: 'offline', since: new Date(reach.lastAnswerAt).toISOString() };
}

/** At most one refresh in this time, however many hints arrive. */
const GAP_MS = 1_000;
/**
 * Changes that no event announces (a runner that went silent, a time that passed) show up after
 * this delay.
 */
const IDLE_MS = 30_000;
/** The stream reconnects within this time after the server is back, and its hint brings a refresh. */
const STREAM_BACK_MS = 2_000;

/**
 * Asks the server for the page again, in place: scroll, focus and what was typed stay. Hints
 * within a second, and those while a refresh is under way, make one more. There's none while the
 * page is hidden or the server can't be reached, and one when it's back. A page that is older than
 * the server isn't refreshed.
 */
function useMergedRefresh(): () => void {
  const router = useRouter();
  const [isPending, startTransition] = useTransition();
  const due = useRef(false);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const lastAt = useRef(0);
  const pending = useRef(false);
  pending.current = isPending;

  const run = useCallback(() => {
    timer.current = undefined;
    if (!due.current || pending.current || document.hidden || !serverReach.isUp) return;
    if (pageVersion.isOutdated()) return;
    due.current = false;
    lastAt.current = Date.now();
    startTransition(() => router.refresh());
  }, [router]);

  const ask = useCallback(() => {
    due.current = true;
    const wait = Math.max(0, lastAt.current + GAP_MS - Date.now());
    timer.current ??= setTimeout(run, wait);
  }, [run]);

  useEffect(() => {
    if (!isPending && due.current) ask();
  }, [isPending, ask]);

  useEffect(() => {
    const onShown = () => {
      if (!document.hidden) ask();
    };
    document.addEventListener('visibilitychange', onShown);
    let idle = setTimeout(look, IDLE_MS);
    function look() {
      const quietMs = Date.now() - lastAt.current;
      if (quietMs >= IDLE_MS) ask();
      idle = setTimeout(look, quietMs >= IDLE_MS ? IDLE_MS : IDLE_MS - quietMs);
    }
    let backTimer: ReturnType<typeof setTimeout> | undefined;
    const unsubscribe = serverReach.subscribe(() => {
      clearTimeout(backTimer);
      if (!serverReach.isUp) return;
      const backAt = Date.now();
      backTimer = setTimeout(() => {
        if (lastAt.current < backAt) ask();
      }, STREAM_BACK_MS);
    });
    return () => {
      clearTimeout(backTimer);
      unsubscribe();
      document.removeEventListener('visibilitychange', onShown);
      clearTimeout(idle);
      clearTimeout(timer.current);
    };
  }, [ask]);

  return ask;
}
