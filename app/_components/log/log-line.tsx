import type { ReactNode } from 'react';
import { cn } from '../ui/cn';
import { useEventId } from './event-id';

interface LogLineProps {
  /** Of the event: the row's element is `event-<seq>`, and deep links lead there. */
  seq: number;
  icon?: ReactNode;
  children: ReactNode;
  /** Time, exit, duration: at the right end. */
  aside?: ReactNode;
  className?: string;
}

/** The frame that all single rows of the log share: mark column, words, facts at the right. */
export function LogLine({ seq, icon, children, aside, className }: LogLineProps) {
  const eventId = useEventId();
  return (
    <div
      id={eventId(seq)}
      data-seq={seq}
      className={cn(
        'grid grid-cols-[1rem_minmax(0,1fr)_auto] items-start gap-x-2 border-transparent border-l-2 py-1 pr-3 pl-2.5 text-ui target:outline-2 target:outline-focus target:-outline-offset-2',
        className,
      )}
    >
      <span aria-hidden className="flex h-4.5 items-center justify-center [&_svg]:size-3.5">
        {icon}
      </span>
      <div className="min-w-0">{children}</div>
      {aside ? (
        <div className="flex items-center gap-3 text-meta text-text-3 tabular-nums">{aside}</div>
      ) : null}
    </div>
  );
}
