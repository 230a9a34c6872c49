'use client';

import { useRouter } from 'next/navigation';
import { useEffect, useTransition } from 'react';

/** How soon the page is asked again while a delivery is on its way. */
const LOOK_MS = 1_000;
/** The worker rings for due retries every two seconds. */
const AFTER_DUE_MS = 2_500;
/** A longer timer fires at once in browsers. */
const LONGEST_TIMER_MS = 2 ** 31 - 1;

interface RefreshWhileMovingProps {
  isMoving: boolean;
  /** ISO 8601: the next time that something is due; null when nothing is. */
  nextDueAt: string | null;
}

/** Keeps a page of deliveries current while some of them are under way. Draws nothing. */
export function RefreshWhileMoving({ isMoving, nextDueAt }: RefreshWhileMovingProps) {
  const router = useRouter();
  const [isPending, startTransition] = useTransition();
  useEffect(() => {
    // One at a time: on a slow server each would push the one before out, and none would arrive.
    if (isPending || (!isMoving && nextDueAt === null)) return;
    const waitMs = isMoving ? LOOK_MS : untilAfter(nextDueAt);
    const timer = setTimeout(() => startTransition(() => router.refresh()), waitMs);
    return () => clearTimeout(timer);
  }, [isMoving, nextDueAt, isPending, router]);
  return null;
}

function untilAfter(dueAt: string | null): number {
  const waitMs = Math.max(0, Date.parse(dueAt ?? '') - Date.now()) + AFTER_DUE_MS;
  return Math.min(waitMs, LONGEST_TIMER_MS);
}
