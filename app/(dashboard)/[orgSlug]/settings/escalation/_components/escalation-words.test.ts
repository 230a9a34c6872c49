import { expect, it } from 'vitest';
import {
  channelChoice,
  escalationSentence,
  onCallNames,
  repeatWords,
  stepWords,
} from './escalation-words';

const PROJECTS = [
  { id: 'prj_1', name: 'Checkout' },
  { id: 'prj_2', name: 'Billing' },
];

it.each([
  [[], 'No incident escalates, because there is no policy.'],
  [[{ projectIds: [] }], 'No project uses a policy, so no incident escalates.'],
  [
    [{ projectIds: ['prj_1'] }],
    'Incidents of 1 of 2 projects escalate until someone acknowledges them.',
  ],
  [
    [{ projectIds: ['prj_1'] }, { projectIds: ['prj_2'] }],
    'Incidents of every project escalate until someone acknowledges them.',
  ],
])('[INC-2.2] the page says of %j: %s', (policies, sentence) => {
  expect(escalationSentence(policies, PROJECTS)).toBe(sentence);
});

it.each([
  [{ afterMinutes: 0, scheduleId: null, channelIds: ['a'] }, 'At once: Slack'],
  [
    { afterMinutes: 15, scheduleId: 's', channelIds: ['a', 'x'] },
    'After 15m: whoever is on call in Primary, else Slack, a deleted channel',
  ],
  [
    { afterMinutes: 90, scheduleId: 'x', channelIds: ['a'] },
    'After 1h 30m: whoever is on call in a deleted schedule, else Slack',
  ],
])('[INC-2.2] a step %j reads %s', (step, words) => {
  const [channels, schedules] = [[{ id: 'a', name: 'Slack' }], [{ id: 's', name: 'Primary' }]];
  expect(stepWords(step, channels, schedules)).toBe(words);
});

it.each([
  [0, 'The last step isn’t repeated.'],
  [1, 'The last step is repeated once, after 30m.'],
  [3, 'The last step is repeated 3 times, every 30m.'],
])('[INC-2.2] %i repeats read %s', (repeatTimes, words) => {
  expect(repeatWords({ repeatTimes, repeatMinutes: 30 })).toBe(words);
});

it('[INC-2.2] a gap has nobody in it', () => {
  expect([onCallNames({ names: [] }), onCallNames({ names: ['Ana', 'Ben', 'Cleo'] })]).toEqual([
    'Nobody',
    'Ana, Ben and Cleo',
  ]);
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
