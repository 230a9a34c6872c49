'use client';

import { useEffect } from 'react';
import { reportChange } from '../live/report-change';

/** How soon the page is asked again while a delivery is on its way. */
const LOOK_MS = 1_000;
/** The worker enqueues due retries every two seconds. */
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
  useEffect(() => {
    if (!isMoving && nextDueAt === null) return;
    let timer: ReturnType<typeof setTimeout>;
    const plan = () => {
      const waitMs = isMoving ? LOOK_MS : untilAfter(nextDueAt);
      timer = setTimeout(() => {
        reportChange();
        plan();
      }, waitMs);
    };
    plan();
    return () => clearTimeout(timer);
  }, [isMoving, nextDueAt]);
  return null;
}

function untilAfter(dueAt: string | null): number {
  const waitMs = Math.max(0, Date.parse(dueAt ?? '') - Date.now()) + AFTER_DUE_MS;
  return Math.min(waitMs, LONGEST_TIMER_MS);
}
