'use client';

import { useEffect, useEffectEvent, useSyncExternalStore } from 'react';
import type { LiveState } from './live-context';

/** `state` is null until it is known how the stream is. */
export interface LiveHold {
  state: LiveState | null;
}

let held: LiveHold | null = null;
const stateListeners = new Set<() => void>();
const changeListeners = new Set<() => void>();

/**
 * A page with a stream of its own (a log) holds the tab's one stream: the stream of hints stays
 * closed meanwhile, since browsers allow six connections to a host over all tabs. Null lets go.
 */
export function holdLive(hold: LiveHold | null): void {
  held = hold;
  for (const listener of stateListeners) listener();
}

/**
 * Says that the rows behind the page changed, or may have: the page is refreshed in place, merged
 * with other hints and only while the server can be reached. Whatever refreshes by itself calls
 * this and never the router.
 */
export function reportChange(): void {
  for (const listener of changeListeners) listener();
}

function subscribe(listener: () => void): () => void {
  stateListeners.add(listener);
  return () => stateListeners.delete(listener);
}

/** The stream that stands in for the hints; null while none does. */
export function useLiveHold(onChange: () => void): LiveHold | null {
  const changed = useEffectEvent(onChange);
  useEffect(() => {
    const listener = () => changed();
    changeListeners.add(listener);
    return () => {
      changeListeners.delete(listener);
    };
  }, []);
  return useSyncExternalStore(
    subscribe,
    () => held,
    () => null,
  );
}
