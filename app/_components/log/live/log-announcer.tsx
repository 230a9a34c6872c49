'use client';

import { useEffect, useRef, useState } from 'react';
import { formatCounted } from '@/lib/platform/format/count';
import type { FeedState } from './session-feed';

const GAP_MS = 10_000;

interface LogAnnouncerProps {
  state: FeedState;
  sessionNumber: number;
}

/** Tells a screen reader what came, at most every 10 s, and at once that the session ended. */
export function LogAnnouncer({ state, sessionNumber }: LogAnnouncerProps) {
  const [text, setText] = useState('');
  const newest = useRef(state);
  newest.current = state;
  const announced = useRef(state);
  const hasEnded = state.connection.kind === 'ended';
  const wasLive = useRef(false);
  if (state.connection.kind === 'live') wasLive.current = true;

  useEffect(() => {
    if (hasEnded) return;
    const timer = setInterval(() => {
      const before = announced.current.log;
      const { log } = newest.current;
      const count = (log.lastSeq ?? 0) - (before.lastSeq ?? 0);
      const denied = log.counts.denied - before.counts.denied;
      announced.current = newest.current;
      if (count > 0) {
        setText(`${formatCounted(count, 'new event')}${denied > 0 ? `, ${denied} denied` : ''}`);
      }
    }, GAP_MS);
    return () => clearInterval(timer);
  }, [hasEnded]);

  const isOver = hasEnded && wasLive.current;
  return (
    <p role="status" className="sr-only">
      {isOver ? `Session #${sessionNumber} has ended.` : text}
    </p>
  );
}
