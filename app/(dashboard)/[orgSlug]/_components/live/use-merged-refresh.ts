'use client';

import { useRouter } from 'next/navigation';
import { useCallback, useEffect, useRef, useTransition } from 'react';

/** At most one refresh in this time, however many hints arrive. */
const GAP_MS = 1_000;
/** What nobody announces (a runner that fell silent, a clock that passed) is seen this late. */
const IDLE_MS = 30_000;

/**
 * Asks the server for the page again, in place: scroll, focus and what was typed stay. Hints
 * within a second, and those while a refresh is under way, make one more. None while hidden.
 */
export function useMergedRefresh(): () => void {
  const router = useRouter();
  const [isPending, startTransition] = useTransition();
  const due = useRef(false);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const lastAt = useRef(0);
  const pending = useRef(false);
  pending.current = isPending;

  const run = useCallback(() => {
    timer.current = undefined;
    if (!due.current || pending.current || document.hidden) return;
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
    const idle = setInterval(ask, IDLE_MS);
    return () => {
      document.removeEventListener('visibilitychange', onShown);
      clearInterval(idle);
      clearTimeout(timer.current);
    };
  }, [ask]);

  return ask;
}
