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
import { useFullTimeTips } from './full-time-tip';

interface TimeProps {
  /** ISO 8601. */
  at: string;
  /** `relative` ticks; `clock` is "14:02"; `day` is "12 Nov 14:02"; `exact` needs no tip. */
  form?: 'relative' | 'clock' | 'day' | 'exact';
  /**
   * In a row of many: no stop of Tab of its own. The tip comes on hover, and while a link or a
   * button of its row has keyboard focus.
   */
  isPlain?: boolean;
  className?: string;
}

type Writer = (at: Date, now: Date, timeZone: string) => string;

const WRITERS: Record<NonNullable<TimeProps['form']>, Writer> = {
  relative: formatRelativeTime,
  clock: (at, _now, timeZone) => formatClock(at, timeZone),
  day: formatDay,
  exact: (at, _now, timeZone) => formatFullTime(at, timeZone),
};

/** Shows a moment in the reader's time zone; hover or focus shows it to the second, in UTC, too. */
export function Time({ at, form = 'relative', isPlain, className }: TimeProps) {
  const zone = displayTimeZone(usePreferences().preferences);
  const moment = new Date(at);
  const text = useClockText((nowMs) => WRITERS[form](moment, new Date(nowMs), zone));
  const fullText = formatFullTime(moment, zone);
  const style = cn('whitespace-nowrap rounded-badge', className);
  useFullTimeTips();
  if (form === 'exact') {
    return (
      <time dateTime={at} className={cn('whitespace-normal', className)}>
        {text}
      </time>
    );
  }
  if (isPlain) {
    return (
      <time dateTime={at} data-full-time={fullText} className={style}>
        {text}
      </time>
    );
  }
  return (
    <Tooltip tip={fullText}>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: its tip must be within reach of the keyboard */}
      <time dateTime={at} tabIndex={0} className={style}>
        {text}
      </time>
    </Tooltip>
  );
}
