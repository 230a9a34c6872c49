/** Reads the on-call calendars that are due. */

import { scopeOfSystem } from '@/lib/identity/tenancy/make-scope';
import { deriveKey, open, SecretBoxError, seal } from '@/lib/platform/crypto/secret-box';
import { forEachRowIsolated } from '@/lib/platform/db/batches';
import { inTransaction } from '@/lib/platform/db/tenant-db';
import { env } from '@/lib/platform/env';
import { createOutboundClient, type OutboundClient } from '@/lib/platform/outbound-http/client';
import { readCalendar, UnreadableCalendarError } from './calendar-file';
import { storeReading, takeDueCalendars } from './data';

const AT_ONCE = 100;
/** One server that doesn't answer holds up few others. */
const LANES = 20;
const TIMEOUT_MS = 10_000;
const MAX_BYTES = 2_000_000;

/**
 * Reads each calendar that is due, in every organization, and stores its events or why it can't be read.
 *
 * @returns how many were read
 */
export async function readDueCalendars(
  now = new Date(),
  http = createOutboundClient({ allowPrivate: env().allowPrivateTargets }),
): Promise<number> {
  const due = await takeDueCalendars(now, AT_ONCE);
  const lanes = Array.from({ length: LANES }, (_, lane) =>
    forEachRowIsolated(
      'calendars',
      due.filter((_each, index) => index % LANES === lane),
      async (calendar) => {
        const reading = await read(http, calendar, now);
        await inTransaction(scopeOfSystem(calendar.organizationId, 'Paging'), (db) =>
          storeReading(db, calendar.id, reading, now),
        );
      },
    ),
  );
  return (await Promise.all(lanes)).reduce((sum, read) => sum + read, 0);
}

async function read(
  http: OutboundClient,
  calendar: { id: string; urlSealed: string },
  now: Date,
): Promise<Parameters<typeof storeReading>[2]> {
  const failed = (reason: string, status: number | null = null) => ({
    failure: { reason, status },
  });
  try {
    const answer = await http.request({
      url: openAddress(calendar),
      method: 'GET',
      headers: { 'user-agent': 'Tierwatch', accept: 'text/calendar' },
      ...{ timeoutMs: TIMEOUT_MS, maxResponseBytes: MAX_BYTES },
    });
    if (!answer.ok) return failed(answer.reason, answer.status);
    if (answer.status !== 200) return failed('status', answer.status);
    if (answer.isBodyTruncated) return failed('too_large');
    return readCalendar(answer.bodyText, now);
  } catch (error) {
    if (error instanceof UnreadableCalendarError) return failed(error.reason);
    if (error instanceof SecretBoxError) return failed('no_key');
    throw error;
  }
}

export function sealAddress(url: string, calendarId: string): string {
  return seal(url, key(), contextOf(calendarId));
}

function openAddress({ id, urlSealed }: { id: string; urlSealed: string }): string {
  return open(urlSealed, key(), contextOf(id));
}

function key(): Buffer {
  return deriveKey(env().secretKey, 'calendars');
}

function contextOf(calendarId: string): string {
  return `calendar:${calendarId}`;
}
