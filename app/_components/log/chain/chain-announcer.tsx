'use client';

import { useEffect, useRef, useState } from 'react';
import type { ChainLogSession } from './chain-session';

const GAP_MS = 10_000;

interface ChainAnnouncerProps {
  sessions: readonly ChainLogSession[];
  /** Entries of the whole log. */
  count: number;
  chainNumber: number;
  isEnded: boolean;
}

/** Tells a screen reader at once that a tier started or the chain ended, and else what came each 10 s. */
export function ChainAnnouncer({ sessions, count, chainNumber, isEnded }: ChainAnnouncerProps) {
  const [text, setText] = useState('');
  const newest = useRef(count);
  newest.current = count;
  const announced = useRef(count);
  const last = sessions.at(-1);
  const shown = useRef({ id: last?.id, isEnded });

  useEffect(() => {
    if (last && last.id !== shown.current.id) {
      setText(`Tier ${last.tier} started: Session #${last.number}.`);
    }
    if (isEnded && !shown.current.isEnded) setText(`Chain #${chainNumber} has ended.`);
    shown.current = { id: last?.id, isEnded };
  }, [last, isEnded, chainNumber]);

  useEffect(() => {
    if (isEnded) return;
    const timer = setInterval(() => {
      const added = newest.current - announced.current;
      announced.current = newest.current;
      if (added > 0) setText(added === 1 ? '1 new entry' : `${added} new entries`);
    }, GAP_MS);
    return () => clearInterval(timer);
  }, [isEnded]);

  return (
    <p role="status" className="sr-only">
      {text}
    </p>
  );
}
