'use client';

import { formatFullTime, formatLogTime } from '@/lib/platform/format/time';
import { displayTimeZone } from '../shell/preferences';
import { usePreferences } from '../shell/preferences-context';
import { useFullTimeTips } from '../status/full-time-tip';

/**
 * A row's time to the millisecond, in the reader's zone. Its full form comes on hover, and while
 * its row has keyboard focus: a stop of Tab for each row would make a log impassable.
 */
export function LogTime({ at }: { at: string }) {
  const zone = displayTimeZone(usePreferences().preferences);
  useFullTimeTips();
  const moment = new Date(at);
  return (
    <time dateTime={at} data-full-time={formatFullTime(moment, zone)} className="whitespace-nowrap">
      {formatLogTime(moment, zone)}
    </time>
  );
}
