'use client';

import { useRouter } from 'next/navigation';
import { useCallback, useEffect, useRef, useTransition } from 'react';
import { pageVersion } from '@/app/_components/reach/page-version';
import { serverReach } from '@/app/_components/reach/server-reach';

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
