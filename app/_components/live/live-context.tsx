'use client';

import { createContext, type ReactNode, useContext } from 'react';

export type LiveState =
  | { kind: 'live' }
  | { kind: 'reconnecting' }
  /** `since`: when the data on the page was last known to be true. */
  | { kind: 'offline'; since: string };

/** Null where a page has nothing live. */
const LiveContext = createContext<LiveState | null>(null);

interface LiveProviderProps {
  state: LiveState | null;
  children: ReactNode;
}

/** Whoever holds the event stream says here how it is; the top bar shows it. */
export function LiveProvider({ state, children }: LiveProviderProps) {
  return <LiveContext value={state}>{children}</LiveContext>;
}

export function useLiveState(): LiveState | null {
  return useContext(LiveContext);
}
