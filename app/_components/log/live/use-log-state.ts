'use client';

import { useEffect, useRef, useState } from 'react';
import type { SessionEventDto } from '@/lib/sessions/schema';
import { useFeed, useFeedState } from './feed-context';
import { emptyFeed, type FeedState, takeIn } from './session-feed';

interface FirstEvents {
  /** Drawn by the server. */
  initial: readonly SessionEventDto[];
  after: number;
  isWhole: boolean;
}

/** What the server drew, until the feed has it too and goes on from there. */
export function useLogState(events: FirstEvents): FeedState {
  const feed = useFeed();
  const live = useFeedState();
  const [first] = useState(() => takeIn(emptyFeed, events.initial));
  const start = useRef(events);

  useEffect(() => {
    const { initial, after, isWhole } = start.current;
    feed?.load(initial, { after, isWhole });
  }, [feed]);

  return (live.log.lastSeq ?? 0) >= (first.log.lastSeq ?? 0)
    ? live
    : { ...first, connection: live.connection };
}
