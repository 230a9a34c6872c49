'use client';

import { useEffect, useRef, useState } from 'react';
import type { UnfinishedAnswer } from '@/lib/engine/events/unfinished';
import type { SessionEventDto } from '@/lib/insight/sessions/schema';
import { useFeed, useFeedState } from './feed-context';
import { emptyFeed, type FeedState, takeIn } from './session-feed';

interface FirstEvents {
  /** Drawn by the server. */
  initial: readonly SessionEventDto[];
  /** What the agent was writing then. */
  writing?: UnfinishedAnswer | null;
  after: number;
  isWhole: boolean;
}

/** What the server drew, until the feed has it too and continues from there. */
export function useLogState(events: FirstEvents): FeedState {
  const feed = useFeed();
  const live = useFeedState();
  const [first] = useState(() => ({
    ...takeIn(emptyFeed, events.initial),
    writing: events.writing ?? null,
  }));
  const start = useRef(events);

  useEffect(() => {
    const { initial, writing, after, isWhole } = start.current;
    feed?.load(initial, { after, isWhole, writing: writing ?? null });
  }, [feed]);

  return (live.log.lastSeq ?? 0) >= (first.log.lastSeq ?? 0)
    ? live
    : { ...first, connection: live.connection };
}
