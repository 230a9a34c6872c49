import { cookies } from 'next/headers';
import { cache } from 'react';
import {
  displayTimeZone,
  PREFERENCES_COOKIE,
  parsePreferences,
} from '@/app/_components/shell/preferences';
import { formatMoment } from '@/lib/platform/format/time';

/** The zone in which the reader wants times, as IANA name. */
export const readerZone = cache(async (): Promise<string> => {
  const cookie = (await cookies()).get(PREFERENCES_COOKIE)?.value;
  return displayTimeZone(parsePreferences(cookie));
});

/** Writes times for sentences that the server composes: `14:56`, on another day `12 Nov 14:56`. */
export async function readerClock(): Promise<(at: Date) => string> {
  const zone = await readerZone();
  const now = new Date();
  return (at) => formatMoment(at, now, zone);
}
