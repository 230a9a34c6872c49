import { describe, expect, it } from 'vitest';
import { readCalendar, UnreadableCalendarError } from './calendar-file';
import { type Calendar, onCallIn } from './on-call';

const file = (...lines: string[]) =>
  ['BEGIN:VCALENDAR', 'VERSION:2.0', ...lines, 'END:VCALENDAR', ''].join('\r\n');
const event = (...lines: string[]) => ['BEGIN:VEVENT', ...lines, 'END:VEVENT'].join('\r\n');

const ANA = { id: 'a', name: 'Ana', email: 'ana@acme.example' };
const ANA_LIMA = { id: 'l', name: 'Ana Lima', email: 'lima@acme.example' };
const BEN = { id: 'b', name: 'Ben Ito', email: 'Ben@acme.example' };
const PEOPLE = [ANA, ANA_LIMA, BEN, { id: 'n', name: '', email: 'new@acme.example' }];

function calendarOf(text: string, now: Date): Calendar {
  const read = { readAt: now, failingSince: null, failure: null, createdAt: now };
  return { name: 'Primary', events: readCalendar(text, now).events, ...read };
}

/** `Ana, Ben Ito`; whom it names instead follows after a bar. */
function onCall(text: string, moment: string): string {
  const now = new Date(moment);
  const found = onCallIn(calendarOf(text, now), PEOPLE, now);
  if (found.kind === 'unknown') return found.failure.reason;
  const names = found.members.map(({ name, email }) => name || email).join(', ');
  return found.unknown.length > 0 ? `${names}|${found.unknown.join(', ')}` : names;
}

/** As PagerDuty exports a schedule: a shift is an event, in UTC, with overrides applied. */
const PAGERDUTY = file(
  'PRODID;X-RICAL-TZSOURCE=TZINFO:-//com.denhaven2/NONSGML ri_cal gem//EN',
  'CALSCALE:GREGORIAN',
  'X-WR-CALNAME:On Call Schedule for Payments',
  event(
    'DTEND;VALUE=DATE-TIME:20261126T080000Z',
    'DTSTART;VALUE=DATE-TIME:20261125T200000Z',
    'ATTENDEE:ana@acme.example',
    'UID:Q1S46N8B8ADP9D',
    'URL:https://acme.pagerduty.com/schedules#PX1',
    'SUMMARY:On Call - Ana - Payments',
  ),
  event(
    'DTEND;VALUE=DATE-TIME:20261126T200000Z',
    'DTSTART;VALUE=DATE-TIME:20261126T080000Z',
    'ATTENDEE:ops@elsewhere.example',
    'UID:Q1S46N8B8ADP9E',
    'SUMMARY:On Call - Ops - Payments',
  ),
);

/** As Opsgenie exports one: whoever is on call is in the title, which is folded if it is long. */
const OPSGENIE = file(
  'PRODID:-//Opsgenie//On-call schedule//EN',
  'METHOD:PUBLISH',
  event(
    'UID:3f2a-1764057600000',
    'DTSTAMP:20261125T090000Z',
    'DTSTART:20261125T080000Z',
    'DTEND:20261127T080000Z',
    'SUMMARY:lima@acme.example is on-call for a schedule with a name that is so lo',
    ' ng that it is folded',
  ),
);

const NEW_YORK = [
  'BEGIN:VTIMEZONE',
  'TZID:America/New_York',
  'BEGIN:DAYLIGHT',
  'TZOFFSETFROM:-0500',
  'TZOFFSETTO:-0400',
  'DTSTART:19700308T020000',
  'RRULE:FREQ=YEARLY;BYMONTH=3;BYDAY=2SU',
  'END:DAYLIGHT',
  'BEGIN:STANDARD',
  'TZOFFSETFROM:-0400',
  'TZOFFSETTO:-0500',
  'DTSTART:19701101T020000',
  'RRULE:FREQ=YEARLY;BYMONTH=11;BYDAY=1SU',
  'END:STANDARD',
  'END:VTIMEZONE',
];

/** As Google Calendar exports one: a weekly rotation with a removed, a moved and a declined week. */
const GOOGLE = file(
  'PRODID:-//Google Inc//Google Calendar 70.9054//EN',
  'X-WR-TIMEZONE:America/New_York',
  ...NEW_YORK,
  event(
    'DTSTART;TZID=America/New_York:20260302T090000',
    'DTEND;TZID=America/New_York:20260303T090000',
    'RRULE:FREQ=WEEKLY;BYDAY=MO',
    'EXDATE;TZID=America/New_York:20261109T090000',
    'ATTENDEE;CUTYPE=INDIVIDUAL;ROLE=REQ-PARTICIPANT;PARTSTAT=ACCEPTED;CN=Ben',
    ' Ito;X-NUM-GUESTS=0:mailto:ben@acme.example',
    'ATTENDEE;CUTYPE=RESOURCE;CN=Room 1:mailto:room@acme.example',
    'UID:rotation@google.com',
    'SUMMARY:On call',
  ),
  event(
    'DTSTART;TZID=America/New_York:20261118T090000',
    'DTEND;TZID=America/New_York:20261119T090000',
    'RECURRENCE-ID;TZID=America/New_York:20261116T090000',
    'UID:rotation@google.com',
    'SUMMARY:On call: Ana Lima instead of Ben',
  ),
  event(
    'DTSTART;TZID=America/New_York:20261123T090000',
    'DTEND;TZID=America/New_York:20261124T090000',
    'RECURRENCE-ID;TZID=America/New_York:20261123T090000',
    'STATUS:CANCELLED',
    'UID:rotation@google.com',
    'SUMMARY:On call',
  ),
  event(
    'DTSTART;TZID=America/New_York:20261130T090000',
    'DTEND;TZID=America/New_York:20261201T090000',
    'RECURRENCE-ID;TZID=America/New_York:20261130T090000',
    'ATTENDEE;PARTSTAT=DECLINED:mailto:ben@acme.example',
    'UID:rotation@google.com',
    'SUMMARY:Nobody yet',
  ),
  event(
    'DTSTART;VALUE=DATE:20261226',
    'DTEND;VALUE=DATE:20261228',
    'UID:holiday@google.com',
    'SUMMARY:Ana',
  ),
);

describe('[INC-2.2] who is on call', () => {
  it.each([
    ['PagerDuty, by attendee', PAGERDUTY, '2026-11-26T07:59:59Z', 'Ana'],
    ['PagerDuty, after the handover', PAGERDUTY, '2026-11-26T08:00:00Z', '|ops@elsewhere.example'],
    ['PagerDuty, in a gap', PAGERDUTY, '2026-11-26T20:00:00Z', ''],
    ['Opsgenie, by address in a folded title', OPSGENIE, '2026-11-26T12:00:00Z', 'Ana Lima'],
    ['Google, summer', GOOGLE, '2026-10-26T13:00:00Z', 'Ben Ito'],
    ['Google, before it begins in summer', GOOGLE, '2026-10-26T12:59:00Z', ''],
    ['Google, winter, an hour later', GOOGLE, '2026-11-02T13:30:00Z', ''],
    ['Google, winter', GOOGLE, '2026-11-02T14:00:00Z', 'Ben Ito'],
    ['Google, a removed week (EXDATE)', GOOGLE, '2026-11-09T15:00:00Z', ''],
    ['Google, where a week was moved from', GOOGLE, '2026-11-16T15:00:00Z', ''],
    ['Google, where it was moved to, by name', GOOGLE, '2026-11-18T15:00:00Z', 'Ana Lima'],
    ['Google, a canceled week', GOOGLE, '2026-11-23T15:00:00Z', ''],
    ['Google, declined', GOOGLE, '2026-11-30T15:00:00Z', '|“Nobody yet”'],
    ['Google, a whole day by its own clocks', GOOGLE, '2026-12-26T05:00:00Z', 'Ana'],
    ['Google, before that day', GOOGLE, '2026-12-26T04:59:00Z', ''],
    ['Google, the last of two days', GOOGLE, '2026-12-28T04:59:00Z', 'Ana'],
  ])('%s', (_, text, now, expected) => {
    expect(onCall(text, now)).toBe(expected);
  });

  it('is everyone when events overlap, and their titles are of any form', () => {
    const times = ['DTSTART:20261126T000000Z', 'DTEND:20261127T000000Z'];
    const titled = (title: string) => event(...times, `UID:${title}`, `SUMMARY:${title}`);
    const all = file(titled('Ana'), titled('Ben Ito (secondary)'), titled('Anabel'));
    expect(onCall(all, '2026-11-26T12:00:00Z')).toBe('Ana, Ben Ito|“Anabel”');
    const address = file(titled('call: new@acme.example.'), titled('x.ana@acme.example'));
    expect(onCall(address, '2026-11-26T12:00:00Z')).toBe('new@acme.example|“x.ana@acme.example”');
  });

  it('follows a time zone that the file names without describing it', () => {
    const zoned = file(
      event(
        ...['DTSTART;TZID=Asia/Tokyo:20261101T090000', 'DTEND;TZID=Asia/Tokyo:20261101T180000'],
        ...['RRULE:FREQ=DAILY', 'UID:1', 'SUMMARY:Ana'],
      ),
    );
    expect(onCall(zoned, '2026-11-26T00:00:00Z')).toBe('Ana');
    expect(onCall(zoned, '2026-11-26T09:00:00Z')).toBe('');
  });

  it('is unknown while the calendar can’t be read, and once what was read is too old', () => {
    const now = new Date('2026-11-26T07:00:00Z');
    const calendar = calendarOf(PAGERDUTY, now);
    const at = (minutes: number, changes: Partial<Calendar> = {}) =>
      onCallIn({ ...calendar, ...changes }, PEOPLE, new Date(now.getTime() + minutes * 60_000));
    const failure = { reason: 'status', status: 500 };
    expect(at(20).kind).toBe('known');
    expect(at(21)).toMatchObject({ kind: 'unknown', since: now, failure: { reason: 'not_read' } });
    expect(at(1, { readAt: null }).kind).toBe('unknown');
    expect(at(1, { failingSince: now, failure })).toEqual({ kind: 'unknown', since: now, failure });
  });
});

describe('[INC-2.2] a file that is no calendar', () => {
  const now = new Date('2026-11-26T12:00:00Z');
  const reasonOf = (text: string) => {
    try {
      readCalendar(text, now);
    } catch (error) {
      return error instanceof UnreadableCalendarError ? error.reason : String(error);
    }
    return null;
  };

  it.each(['', '<html>Sign in</html>', 'BEGIN:VCARD\r\nVERSION:4.0\r\nEND:VCARD'])(
    '%j is refused',
    (text) => {
      expect(reasonOf(text)).toBe('not_ical');
    },
  );

  it('is given up when a rule never matches', () => {
    const endless = event(
      ...['UID:1', 'SUMMARY:Ana', 'DTSTART:20260101T000000Z', 'DTEND:20260101T010000Z'],
      'RRULE:FREQ=SECONDLY;BYMONTH=2;BYMONTHDAY=30',
    );
    expect(reasonOf(file(endless))).toBe('too_complex');
  });
});
