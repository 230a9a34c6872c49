'use client';

import { formatFullTime, formatLogTime } from '@/lib/platform/format/time';
import { displayTimeZone } from '../shell/preferences';
import { usePreferences } from '../shell/preferences-context';

/** A row's time to the millisecond, in the reader's zone. */
export function LogTime({ at }: { at: string }) {
  const zone = displayTimeZone(usePreferences().preferences);
  const moment = new Date(at);
  return (
    <time dateTime={at} title={formatFullTime(moment, zone)} className="whitespace-nowrap">
      {formatLogTime(moment, zone)}
    </time>
  );
}
