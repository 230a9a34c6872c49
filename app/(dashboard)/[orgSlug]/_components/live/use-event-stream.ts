'use client';

import { useEffect, useEffectEvent, useState } from 'react';
import type { LiveState } from '@/app/_components/shell/live-context';
import { whenArrived } from './page-arrival';

const RETRY_MS = [1_000, 2_000, 5_000, 10_000];
const OFFLINE_AFTER_MS = 30_000;

/**
 * Follows `url` and calls `onChanged` at every hint, and once after each reconnect, since hints
 * of the meantime are lost. Null until the stream is open for the first time. Without a `url`
 * nothing is opened.
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
    let lastTrueAt = Date.now();

    function connect() {
      source = new EventSource(address);
      source.onopen = () => {
        failures = 0;
        setState({ kind: 'live' });
      };
      source.addEventListener('changed', () => {
        lastTrueAt = Date.now();
        changed();
      });
      source.onerror = () => {
        // The browser's own reconnect gives up for good on any answer but 200.
        source?.close();
        if (failures === 0) lastTrueAt = Date.now();
        const wait = RETRY_MS[Math.min(failures, RETRY_MS.length - 1)];
        failures += 1;
        const isOffline = Date.now() - lastTrueAt > OFFLINE_AFTER_MS;
        setState(
          isOffline
            ? { kind: 'offline', since: new Date(lastTrueAt).toISOString() }
            : { kind: 'reconnecting' },
        );
        timer = setTimeout(connect, wait);
      };
    }

    // By then a page that brings a stream of its own has said so, too.
    const callOff = whenArrived(connect);
    return () => {
      callOff();
      clearTimeout(timer);
      source?.close();
    };
  }, [url]);

  return state;
}
