'use client';

import { ArrowDownToLine } from 'lucide-react';
import { Button } from '../../ui/button';

interface LogFooterProps {
  isLive: boolean;
  isFollowing: boolean;
  /** Since following was turned off. */
  newCount: number;
  eventCount: number;
  onFollow: () => void;
  onUnfollow: () => void;
}

/** How many events there are, and whether the log is followed. */
export function LogFooter(props: LogFooterProps) {
  const { isLive, isFollowing, newCount, eventCount, onFollow, onUnfollow } = props;
  return (
    <div className="flex min-h-11 items-center justify-between gap-3 border-line border-t px-3 py-1.5 text-meta text-text-3 tabular-nums">
      <span data-event-count={eventCount}>
        {eventCount === 1 ? '1 event' : `${eventCount.toLocaleString('en')} events`}
      </span>
      {isLive ? (
        <Button
          size="sm"
          look={isFollowing ? 'quiet' : 'secondary'}
          aria-pressed={isFollowing}
          onClick={isFollowing ? onUnfollow : onFollow}
        >
          <ArrowDownToLine aria-hidden />
          {isFollowing
            ? 'Following'
            : newCount > 0
              ? `${newCount.toLocaleString('en')} new · Jump to latest`
              : 'Follow'}
        </Button>
      ) : (
        <Button size="sm" look="quiet" onClick={onFollow}>
          <ArrowDownToLine aria-hidden />
          Jump to the end
        </Button>
      )}
    </div>
  );
}
