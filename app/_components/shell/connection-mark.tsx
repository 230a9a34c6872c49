'use client';

import { cn } from '../ui/cn';
import { useLiveState } from './live-context';
import { displayTimeZone } from './preferences';
import { usePreferences } from './preferences-context';

const MARKS = { live: 'bg-ok-mark', reconnecting: 'bg-wait-mark', offline: 'bg-bad-mark' };

/** How the page's event stream is. Never a toast per drop. */
export function ConnectionMark() {
  const live = useLiveState();
  const { preferences } = usePreferences();
  if (!live) return null;
  const words = {
    live: () => 'Live',
    reconnecting: () => 'Reconnecting…',
    offline: () =>
      `Offline, showing ${new Intl.DateTimeFormat('en-GB', {
        timeStyle: 'medium',
        timeZone: displayTimeZone(preferences),
      }).format(live.kind === 'offline' ? new Date(live.since) : undefined)}`,
  };
  return (
    <span role="status" className="inline-flex shrink-0 items-center gap-1.5 text-meta text-text-2">
      <span aria-hidden data-bar className={cn('size-2 rounded-full', MARKS[live.kind])} />
      <span className={cn(live.kind === 'live' && 'max-md:sr-only')}>{words[live.kind]()}</span>
    </span>
  );
}
