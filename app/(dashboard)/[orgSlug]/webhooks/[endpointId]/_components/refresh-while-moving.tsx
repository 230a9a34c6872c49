'use client';

import { useRouter } from 'next/navigation';
import { useEffect } from 'react';

/** How often the page is asked again while a delivery is on its way. */
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
  useEffect(() => {
    if (!isMoving) return;
    const timer = setInterval(() => router.refresh(), LOOK_MS);
    return () => clearInterval(timer);
  }, [isMoving, router]);
  useEffect(() => {
    if (nextDueAt === null) return;
    const waitMs = Math.max(0, Date.parse(nextDueAt) - Date.now()) + AFTER_DUE_MS;
    const timer = setInterval(() => router.refresh(), Math.min(waitMs, LONGEST_TIMER_MS));
    return () => clearInterval(timer);
  }, [nextDueAt, router]);
  return null;
}
