import { cookies } from 'next/headers';
import { notFound } from 'next/navigation';
import { cache } from 'react';
import {
  displayTimeZone,
  PREFERENCES_COOKIE,
  parsePreferences,
} from '@/app/_components/shell/preferences';
import { requireMember } from '@/lib/identity/auth/current-user';
import { getOverview } from '@/lib/insight/dashboard/get-overview';
import { NotFoundError } from '@/lib/platform/errors';
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

/** The frame and the page inside it ask for the same rows: read once a request. */
export const loadOverview = cache(async (orgSlug: string) => {
  const { user, scope } = await requireMember(orgSlug);
  return { user, scope, overview: await getOverview(scope) };
});

/** Returns what a page is about; leads to the 404 page when it isn't there. */
export async function orNotFound<Row>(row: Promise<Row>): Promise<Row> {
  try {
    return await row;
  } catch (error) {
    if (error instanceof NotFoundError) notFound();
    throw error;
  }
}
