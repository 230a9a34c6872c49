'use client';

import { usePathname } from 'next/navigation';
import {
  type ReactNode,
  useEffect,
  useEffectEvent,
  useMemo,
  useState,
  useSyncExternalStore,
} from 'react';
import { type Reach, serverReach } from '@/app/_components/reach/server-reach';
import { LiveProvider, type LiveState } from '@/app/_components/shell/live-context';
import { useLiveHold } from '@/app/_components/shell/live-hold';
import { scopeOf } from '@/app/_components/shell/navigation';
import { useClockText } from '@/app/_components/status/clock';
import { type ConnectionPhase, connectionPhase, connectionState } from './connection-state';
import { useMergedRefresh } from './use-merged-refresh';

/** One stream for the whole tab: of the project on the page, of the organization, or a log's own. */
export function LiveConnection({ children }: { children: ReactNode }) {
  const { orgSlug, projectSlug } = scopeOf(usePathname());
  const query = new URLSearchParams({
    organization: orgSlug,
    ...(projectSlug ? { project: projectSlug } : {}),
  });
  const refresh = useMergedRefresh();
  const held = useLiveHold(refresh);
  const stream = useEventStream(held ? null : `/api/live?${query}`, refresh);
  return (
    <LiveProvider state={useConnectionState(held ? held.state : stream)}>{children}</LiveProvider>
  );
}

function useConnectionState(stream: LiveState | null): LiveState | null {
  const { reach, phase } = useConnectionPhase();
  return useMemo(() => connectionState(reach, phase, stream), [reach, phase, stream]);
}

const RETRY_MS = [1_000, 2_000, 5_000, 10_000];

/**
 * Follows `url` and calls `onChanged` at every hint, and once after each reconnect, since hints
 * sent in between are lost. Returns null until the stream opens or fails for the first time.
 * Without a `url` nothing is opened.
 */
function useEventStream(url: string | null, onChanged: () => void): LiveState | null {
  const [state, setState] = useState<LiveState | null>(null);
  const changed = useEffectEvent(onChanged);

  useEffect(() => {
    if (url === null) return;
    const address = url;
    let source: EventSource | null = null;
    let timer: ReturnType<typeof setTimeout> | undefined;
    let failures = 0;
    let isClosed = false;

    function connect() {
      if (isClosed) return;
      source = new EventSource(address);
      source.onopen = () => {
        failures = 0;
        setState({ kind: 'live' });
      };
      source.addEventListener('changed', () => {
        serverReach.noteAnswer();
        changed();
      });
      source.onerror = () => {
        // The browser's own reconnect gives up for good on any answer but 200.
        source?.close();
        setState({ kind: 'reconnecting' });
        void serverReach.check();
        const wait = RETRY_MS[Math.min(failures, RETRY_MS.length - 1)];
        failures += 1;
        timer = setTimeout(() => void serverReach.untilUp().then(connect), wait);
      };
    }

    // By then a page that brings a stream of its own has said so, too.
    const callOff = whenArrived(connect);
    return () => {
      isClosed = true;
      callOff();
      clearTimeout(timer);
      source?.close();
    };
  }, [url]);

  return state;
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
