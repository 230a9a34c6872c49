'use client';

import { useEffect, useEffectEvent, useState } from 'react';
import { serverReach } from '@/app/_components/reach/server-reach';
import type { LiveState } from '@/app/_components/shell/live-context';
import { whenArrived } from './page-arrival';

const RETRY_MS = [1_000, 2_000, 5_000, 10_000];

/**
 * Follows `url` and calls `onChanged` at every hint, and once after each reconnect, since hints
 * sent in between are lost. Returns null until the stream opens or fails for the first time.
 * Without a `url` nothing is opened.
 */
export function useEventStream(url: string | null, onChanged: () => void): LiveState | null {
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
