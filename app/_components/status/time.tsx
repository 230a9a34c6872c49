'use client';

import {
  formatClock,
  formatDay,
  formatFullTime,
  formatRelativeTime,
} from '@/lib/platform/format/time';
import { displayTimeZone } from '../shell/preferences';
import { usePreferences } from '../shell/preferences-context';
import { cn } from '../ui/cn';
import { Tooltip } from '../ui/tooltip';
import { useClockText } from './clock';

interface TimeProps {
  /** ISO 8601. */
  at: string;
  /** `relative` ticks; `clock` is "14:02"; `day` is "12 Nov 14:02". */
  form?: 'relative' | 'clock' | 'day';
  /** In a table with many rows: a plain title, and no stop of Tab for each. */
  isPlain?: boolean;
  className?: string;
}

type Writer = (at: Date, now: Date, timeZone: string) => string;

const WRITERS: Record<'relative' | 'clock' | 'day', Writer> = {
  relative: formatRelativeTime,
  clock: (at, _now, timeZone) => formatClock(at, timeZone),
  day: formatDay,
};

/** Shows a moment in the reader's time zone; hover or focus shows it to the second, in UTC, too. */
export function Time({ at, form = 'relative', isPlain, className }: TimeProps) {
  const zone = displayTimeZone(usePreferences().preferences);
  const moment = new Date(at);
  const text = useClockText((nowMs) => WRITERS[form](moment, new Date(nowMs), zone));
  const style = cn('whitespace-nowrap rounded-badge', className);
  if (isPlain) {
    return (
      <time dateTime={at} title={formatFullTime(moment, zone)} className={style}>
        {text}
      </time>
    );
  }
  return (
    <Tooltip tip={formatFullTime(moment, zone)}>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: its tip must be within reach of the keyboard */}
      <time dateTime={at} tabIndex={0} className={style}>
        {text}
      </time>
    </Tooltip>
  );
}
