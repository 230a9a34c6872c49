/** What is said about the steps of paging, in messages and on pages. */

import { formatMoment } from '@/lib/platform/format/time';
import type { ReadFailure } from './on-call';
import type { Recipients } from './schema';

/** `step 2 of 2`; `repeat 1 of step 2`. */
export function stepName(number: number, stepCount: number): string {
  const repeats = number - stepCount;
  return repeats > 0 ? `repeat ${repeats} of step ${stepCount}` : `step ${number} of ${stepCount}`;
}

/** Returns whether a step notified anybody, or somebody had just been notified. A calendar alone doesn't count. */
export function isAnyoneReached({
  channels,
  members,
}: Pick<Recipients, 'channels' | 'members'>): boolean {
  return [...channels, ...members].some(({ result }) => ['sent', 'announced'].includes(result));
}

/**
 * Returns why whom a step names wasn't notified; empty if everyone was: `Ana is disabled, a channel was deleted`.
 *
 * @param now of the reader, so that the day is only named if it isn't today
 */
export function unreachedWords(recipients: Recipients, now: Date): string {
  const { channels, members, onCall } = recipients;
  const calendar = calendarWords(recipients, now);
  return [
    ...channels.flatMap(({ name, result }) => {
      if (result === 'deleted') return ['a channel was deleted'];
      return result === 'muted' || result === 'disabled' ? [`${name} is ${result}`] : [];
    }),
    ...members.flatMap(({ name, result }) => {
      if (result === 'deleted') return ['a member has left'];
      return result === 'no_mail' ? [`${name} can’t get e-mail from this installation`] : [];
    }),
    ...(calendar && (onCall.length === 0 || recipients.unknown.length > 0) ? [calendar] : []),
  ].join(', ');
}

/** What a calendar says about now, as a clause; null without one: `Ana is on call in Primary`. */
export function calendarWords(
  { calendar, onCall, unknown, failure }: Recipients,
  now: Date,
): string | null {
  if (calendar === null) return null;
  if (failure)
    return `the calendar ${calendar} ${unreadWords(failure, new Date(failure.since), now)}`;
  if (unknown.length > 0) {
    const isOne = unknown.length === 1;
    return `the calendar ${calendar} names ${unknown.join(', ')}, who ${isOne ? 'isn’t a member' : 'aren’t members'}`;
  }
  if (onCall.length === 0) return `nobody is on call in ${calendar}`;
  return `${onCall.join(', ')} ${onCall.length === 1 ? 'is' : 'are'} on call in ${calendar}`;
}

const FAILURES: Record<string, string> = {
  not_ical: 'it isn’t an iCalendar file',
  too_complex: 'its recurring events take too long to read',
  too_large: 'it is larger than 2 MB',
  no_key: 'its address can’t be decrypted with this installation’s key',
  private_address: 'its address is private',
};

/** A new calendar is read at the next sweep. */
const NEW_MS = 5 * 60_000;

/** `couldn’t be read since 03:12 UTC: HTTP 500`. */
export function unreadWords({ reason, status }: ReadFailure, since: Date, now: Date): string {
  const moment = `${formatMoment(since, now, 'UTC')} UTC`;
  const isNew = now.getTime() - since.getTime() < NEW_MS;
  if (reason === 'not_read')
    return isNew ? 'hasn’t been read yet' : `hasn’t been read since ${moment}`;
  const why =
    status === null ? (FAILURES[reason] ?? reason.replaceAll('_', ' ')) : `HTTP ${status}`;
  return `couldn’t be read since ${moment}: ${why}`;
}

/** The same as a sentence. */
export function asSentence(clause: string): string {
  return clause === '' ? '' : `${clause.charAt(0).toUpperCase()}${clause.slice(1)}.`;
}
