'use client';

import { cn } from '../ui/cn';
import { useLiveState } from './live-context';
import { displayTimeZone } from './preferences';
import { usePreferences } from './preferences-context';

const MARKS = { live: 'bg-ok-mark', reconnecting: 'bg-wait-mark', offline: 'bg-bad-mark' };

/** The state of the page's connection. Never a toast per drop. */
export function ConnectionMark() {
  const live = useLiveState();
  const { preferences } = usePreferences();
  if (!live) return null;
  return (
    <span role="status" className="inline-flex shrink-0 items-center gap-1.5 text-meta text-text-2">
      <span aria-hidden data-bar className={cn('size-2 rounded-full', MARKS[live.kind])} />
      {live.kind === 'live' ? <span className="max-md:sr-only">Live</span> : null}
      {live.kind === 'reconnecting' ? 'Reconnecting…' : null}
      {live.kind === 'offline' ? (
        <span>
          Offline<span className="max-md:sr-only">, showing</span>{' '}
          {new Intl.DateTimeFormat('en-GB', {
            timeStyle: 'medium',
            timeZone: displayTimeZone(preferences),
          }).format(new Date(live.since))}
        </span>
      ) : null}
    </span>
  );
}
