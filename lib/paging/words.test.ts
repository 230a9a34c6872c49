import { expect, it } from 'vitest';
import { unreadWords } from './words';

const since = new Date('2026-11-28T03:12:00Z');

it.each([
  ['not_read', null, 1, 'hasn’t been read yet'],
  ['not_read', null, 30, 'hasn’t been read since 03:12 UTC'],
  ['http_error', 500, 1, 'couldn’t be read since 03:12 UTC: HTTP 500'],
  ['not_ical', null, 1, 'couldn’t be read since 03:12 UTC: it isn’t an iCalendar file'],
  ['name_not_found', null, 1, 'couldn’t be read since 03:12 UTC: name not found'],
])('a calendar with %s (%s) after %i min %s', (reason, status, minutes, words) => {
  const now = new Date(since.getTime() + minutes * 60_000);
  expect(unreadWords({ reason, status }, since, now)).toBe(words);
});
