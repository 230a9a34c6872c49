'use client';

import { createContext, type ReactNode, useContext, useSyncExternalStore } from 'react';

const ServerNowContext = createContext<number | null>(null);

interface ClockProviderProps {
  /** Milliseconds since the epoch when the server drew the page. */
  serverNow: number;
  children: ReactNode;
}

/** Lets the first client render say the same "3 min ago" that the server wrote. */
export function ClockProvider({ serverNow, children }: ClockProviderProps) {
  return <ServerNowContext value={serverNow}>{children}</ServerNowContext>;
}

// One timer for every live time on the page.
const listeners = new Set<() => void>();
let now = Date.now();
let timer: ReturnType<typeof setInterval> | undefined;

function tick() {
  now = Date.now();
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  now = Date.now();
  timer ??= setInterval(tick, 1000);
  return () => {
    listeners.delete(listener);
    if (listeners.size > 0) return;
    clearInterval(timer);
    timer = undefined;
  };
}

function subscribeToNothing(): () => void {
  return () => undefined;
}

/**
 * A text that depends on the time, asked for again each second; the component renders again
 * only when the text is another one. `isLive: false` keeps it as first shown.
 */
export function useClockText<Text extends string>(
  write: (nowMs: number) => Text,
  isLive = true,
): Text {
  const serverNow = useContext(ServerNowContext);
  return useSyncExternalStore(
    isLive ? subscribe : subscribeToNothing,
    () => write(now),
    () => write(serverNow ?? now),
  );
}
