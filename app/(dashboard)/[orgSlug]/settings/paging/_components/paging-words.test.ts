import { expect, it } from 'vitest';
import {
  channelChoice,
  onCallSentence,
  pagingSentence,
  repeatWords,
  stepWords,
} from './paging-words';

const PROJECTS = [
  { id: 'prj_1', name: 'Checkout' },
  { id: 'prj_2', name: 'Billing' },
];

it.each([
  [[], 'Nobody is paged, because there is no policy.'],
  [[{ projectIds: [] }], 'No project uses a policy, so nobody is paged.'],
  [
    [{ projectIds: ['prj_1'] }],
    'People are paged for incidents of 1 of 2 projects until someone acknowledges them.',
  ],
  [
    [{ projectIds: ['prj_1'] }, { projectIds: ['prj_2'] }],
    'People are paged for incidents of every project until someone acknowledges them.',
  ],
])('[INC-2.2] the page says of %j: %s', (policies, sentence) => {
  expect(pagingSentence(policies, PROJECTS)).toBe(sentence);
});

const STEP = {
  ...{ afterMinutes: 0, calendarId: null, calendar: null, channelIds: ['a'], memberIds: [] },
};
const CALENDAR = { name: 'Primary', readAt: null, onCall: [], unknown: [], failure: null };

it.each([
  [STEP, 'At once: Slack'],
  [{ ...STEP, memberIds: ['m', 'x'] }, 'At once: Slack, Ana by e-mail, a former member by e-mail'],
  [
    { ...STEP, afterMinutes: 15, calendarId: 'c', calendar: CALENDAR, channelIds: ['a', 'x'] },
    'After 15m: whoever is on call in Primary, else Slack, a deleted channel',
  ],
  [
    { ...STEP, afterMinutes: 90, calendarId: 'c', calendar: CALENDAR, channelIds: [] },
    'After 1h 30m: whoever is on call in Primary, else the next step',
  ],
])('[INC-2.2] a step %j reads %s', (step, words) => {
  const choices = {
    channels: [{ id: 'a', name: 'Slack' }],
    members: [{ id: 'm', name: 'Ana' }],
  };
  expect(stepWords(step, choices)).toBe(words);
});

it.each([
  [0, 'The last step isn’t repeated.'],
  [1, 'The last step is repeated once, after 30m.'],
  [3, 'The last step is repeated 3 times, every 30m.'],
])('[INC-2.2] %i repeats read %s', (repeatTimes, words) => {
  expect(repeatWords({ repeatTimes, repeatMinutes: 30 })).toBe(words);
});

it.each([
  [{ onCall: ['Ana', 'Ben'], unknown: [], failure: null }, 'On call now: Ana, Ben.'],
  [{ onCall: [], unknown: [], failure: null }, 'No member is on call now.'],
  [
    { onCall: [], unknown: ['x@y.example'], failure: null },
    'No member is on call now. The calendar names x@y.example, who isn’t a member.',
  ],
  [
    { onCall: [], unknown: [], failure: 'couldn’t be read since 03:12 UTC: HTTP 500' },
    'The calendar couldn’t be read since 03:12 UTC: HTTP 500. The step notifies its own channels and members.',
  ],
])('[INC-2.2] a calendar %j reads %s', (calendar, words) => {
  expect(onCallSentence(calendar)).toBe(words);
});

it.each([
  [null, null, 'Slack'],
  ['2026-11-26T00:00:00Z', 'muted', 'Slack (muted)'],
  ['2026-11-26T00:00:00Z', 'rejected', 'Slack (disabled)'],
])(
  '[INC-2.2] a channel that is off since %s (%s) is chosen as %s',
  (disabledAt, disabledReason, name) => {
    const channel = { id: 'ntc_1', name: 'Slack', disabledAt, disabledReason };
    expect(channelChoice(channel)).toEqual({ id: 'ntc_1', name });
  },
);
