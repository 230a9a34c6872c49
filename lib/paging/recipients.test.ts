import { describe, expect, it } from 'vitest';
import { encodeId } from '@/lib/platform/ids';
import type { Calendar } from './on-call';
import { chooseRecipients, chooseStep } from './recipients';
import type { Step } from './schema';
import { calendarWords, isAnyoneReached, unreachedWords } from './words';

const uuid = (digit: number) => `00000000-0000-7000-8000-00000000000${digit}`;
const channelId = (digit: number) => encodeId('ntc', uuid(digit));
const ON = { disabledAt: null, disabledReason: null };
const off = (disabledReason: string) => ({ disabledAt: new Date(0), disabledReason });
const CHANNELS = [
  { id: uuid(1), name: 'Slack', ...ON },
  { id: uuid(2), name: 'Ana’s phone', ...ON },
  { id: uuid(4), name: 'Ben’s phone', ...off('muted') },
  { id: uuid(5), name: 'Pager', ...off('rejected') },
];
const MEMBERS = [
  { id: uuid(1), name: 'Ana', email: 'ana@acme.example' },
  { id: uuid(2), name: 'Ben', email: 'ben@acme.example' },
];
const THURSDAY = new Date('2026-11-26T12:00Z');
const CALENDAR = {
  ...{ id: uuid(9), name: 'Primary', createdAt: THURSDAY, readAt: THURSDAY },
  ...{ failingSince: null, failure: null },
};
/** The calendar names these as attendees now. */
const naming = (...attendees: string[]) => ({
  ...CALENDAR,
  events: [
    {
      ...{ from: '2026-11-26T09:00:00Z', to: '2026-11-26T17:00:00Z' },
      ...{ attendees, title: 'On call' },
    },
  ],
});
const GAP = { ...CALENDAR, events: [] };
const FAILING = {
  ...naming('ana@acme.example'),
  failingSince: new Date('2026-11-26T03:12Z'),
  failure: { reason: 'status', status: 500 },
};
const step = (changes: Partial<Step> = {}): Step => ({
  ...{ afterMinutes: 0, calendarId: null, memberIds: [], channelIds: [channelId(1)] },
  ...changes,
});
const ON_CALL = step({ calendarId: encodeId('cal', uuid(9)) });
const factsOf = (calendar: Calendar & { id: string } = GAP, changes = {}) => ({
  ...{ calendars: [calendar], channels: CHANNELS, members: MEMBERS, now: THURSDAY },
  ...{ hasMail: true, announced: [] as string[] },
  ...changes,
});

it.each<[string, Step | undefined, ReturnType<typeof factsOf>, string, string | null]>([
  ['its channels', step(), factsOf(), 'Slack', null],
  [
    'a member',
    step({ channelIds: [], memberIds: [encodeId('mem', uuid(2))] }),
    factsOf(),
    'ben@acme.example',
    null,
  ],
  [
    'who is on call, and nobody else',
    ON_CALL,
    factsOf(naming('ana@acme.example')),
    'ana@acme.example',
    'Ana is on call in Primary',
  ],
  ['its channels in a gap', ON_CALL, factsOf(GAP), 'Slack', 'nobody is on call in Primary'],
  [
    'its channels for somebody who isn’t a member',
    ON_CALL,
    factsOf(naming('ops@acme.example')),
    'Slack',
    'the calendar Primary names ops@acme.example, who isn’t a member',
  ],
  [
    'its channels while the calendar can’t be read',
    ON_CALL,
    factsOf(FAILING),
    'Slack',
    'the calendar Primary couldn’t be read since 03:12 UTC: HTTP 500',
  ],
  [
    'its channels without a mail server',
    ON_CALL,
    factsOf(naming('ana@acme.example'), { hasMail: false }),
    'Slack',
    'Ana is on call in Primary',
  ],
  ['its channels if the calendar is gone', step({ calendarId: 'cal_x' }), factsOf(), 'Slack', null],
  ['nobody who was notified since', step(), factsOf(GAP, { announced: [uuid(1)] }), '', null],
  ['nobody of a step that is gone', undefined, factsOf(), '', null],
])('[INC-2.2] a step notifies %s', (_, of, facts, notified, calendar) => {
  const { channels, members, recipients } = chooseRecipients(of, facts);
  const names = [...channels.map(({ name }) => name), ...members.map(({ email }) => email)];
  expect(names.join()).toBe(notified);
  expect(calendarWords(recipients, THURSDAY)).toBe(calendar);
});

it.each([
  [FAILING, 'the calendar Primary couldn’t be read since 03:12 UTC: HTTP 500'],
  [GAP, 'nobody is on call in Primary'],
  [naming('x@y.example'), 'the calendar Primary names x@y.example, who isn’t a member'],
])('[INC-2.2] a calendar alone reaches nobody: %#', (calendar, words) => {
  const { recipients } = chooseRecipients({ ...ON_CALL, channelIds: [] }, factsOf(calendar));
  expect(isAnyoneReached(recipients)).toBe(false);
  expect(unreachedWords(recipients, THURSDAY)).toBe(words);
});

it('[INC-2.2] a step records whom an earlier message had reached already', () => {
  const { recipients } = chooseRecipients(step(), factsOf(GAP, { announced: [uuid(1)] }));
  expect(recipients).toEqual({
    channels: [{ name: 'Slack', result: 'announced' }],
    ...{ members: [], calendar: null, onCall: [], unknown: [], failure: null, reportedTo: null },
  });
});

const ofChannels = (...digits: number[]) => step({ channelIds: digits.map(channelId) });

it('[INC-2.2] a step records whom it couldn’t notify, and why', () => {
  const memberIds = [encodeId('mem', uuid(1)), encodeId('mem', uuid(8))];
  const of = { ...ofChannels(4, 5, 6), memberIds };
  const { recipients } = chooseRecipients(of, factsOf(GAP, { hasMail: false }));
  expect(isAnyoneReached(recipients)).toBe(false);
  expect(unreachedWords(recipients, THURSDAY)).toBe(
    'Ben’s phone is muted, Pager is disabled, a channel was deleted, Ana can’t get e-mail from this installation, a member has left',
  );
});

describe('[INC-2.2] of the steps', () => {
  const due = { number: 2, skipped: [1] };
  const plan = (...steps: Step[]) => ({ steps, repeatTimes: 0, repeatMinutes: 30 });

  it.each<[string, Step[], number[], number | null, string, number[]]>([
    [
      'the due one is sent',
      [ofChannels(1), ofChannels(2), ofChannels(1)],
      [],
      2,
      'Ana’s phone',
      [2],
    ],
    [
      'one that was skipped, if that reaches nobody',
      [ofChannels(1), ofChannels(4)],
      [],
      1,
      'Slack',
      [1, 2],
    ],
    [
      'the next one, at once',
      [ofChannels(5), ofChannels(4), ofChannels(2)],
      [],
      3,
      'Ana’s phone',
      [1, 2, 3],
    ],
    [
      'the next one at its time, if it would repeat a message',
      [ofChannels(5), ofChannels(4), ofChannels(1)],
      [1],
      3,
      '',
      [1, 2],
    ],
    [
      'none, if none reaches anybody',
      [ofChannels(5), ofChannels(4), ofChannels(6)],
      [],
      null,
      '',
      [1, 2, 3],
    ],
  ])('%s', (_, steps, announced, number, notified, over) => {
    const { send, tried } = chooseStep(
      plan(...steps),
      due,
      factsOf(GAP, { announced: announced.map(uuid) }),
    );
    expect(send?.number ?? null).toBe(number);
    expect(send?.channels.map(({ name }) => name).join() ?? '').toBe(notified);
    expect([...tried.keys()].toSorted()).toEqual(over);
  });
});
