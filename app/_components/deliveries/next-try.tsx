'use client';

import { displayTimeZone } from '@/app/_components/shell/preferences';
import { usePreferences } from '@/app/_components/shell/preferences-context';
import { useClockText } from '@/app/_components/status/clock';
import { formatFullTime, formatRelativeTime } from '@/lib/platform/format/time';

/** "next try in 4 min", ticking; once that has come, "due now". `at` is ISO 8601. */
export function NextTry({ at }: { at: string }) {
  const zone = displayTimeZone(usePreferences().preferences);
  const moment = new Date(at);
  const text = useClockText((nowMs) =>
    moment.getTime() <= nowMs
      ? 'next try due now'
      : `next try ${formatRelativeTime(moment, new Date(nowMs), zone)}`,
  );
  return (
    <time dateTime={at} title={formatFullTime(moment, zone)} className="whitespace-nowrap">
      {text}
    </time>
  );
}
