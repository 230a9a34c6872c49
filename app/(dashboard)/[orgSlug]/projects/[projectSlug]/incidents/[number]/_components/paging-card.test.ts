import { expect, it } from 'vitest';
import type { Recipients } from '@/lib/paging/schema';
import { nextWords, recipientWords, stepName } from './paging-card';

const recipients = (changes: Partial<Recipients> = {}): Recipients => ({
  channels: [{ name: 'Slack', result: 'sent' }],
  ...{ members: [], calendar: null, onCall: [], unknown: [], failure: null, reportedTo: null },
  ...changes,
});

it.each([
  [1, 'Step 1'],
  [2, 'Step 2'],
  [4, 'Repeat 2 of step 2'],
])('[INC-2.2] number %i of two steps is %s', (number, name) => {
  expect(stepName(number, 2)).toBe(name);
});

it.each<[Recipients | null, string]>([
  [null, 'Skipped, because a later step was due as well.'],
  [recipients(), 'Message to Slack.'],
  [
    recipients({
      channels: [
        { name: 'Slack', result: 'announced' },
        { name: 'Ana', result: 'sent' },
      ],
    }),
    'Message to Ana. Slack got a message just before.',
  ],
  [recipients({ channels: [] }), 'Reached nobody: its channels are off or deleted.'],
  [
    recipients({
      channels: [
        { name: 'Slack', result: 'sent' },
        { name: 'Ana', result: 'muted' },
      ],
    }),
    'Message to Slack. Not reached: Ana is muted.',
  ],
  [
    recipients({
      channels: [
        { name: 'Ana', result: 'disabled' },
        { name: null, result: 'deleted' },
      ],
      reportedTo: 'admins',
    }),
    'Reached nobody: Ana is disabled, a channel was deleted. No later step reaches anybody, so it goes to admins.',
  ],
  [
    recipients({ channels: [{ name: 'Ana', result: 'disabled' }], reportedTo: 'feed' }),
    'Reached nobody: Ana is disabled. No later step reaches anybody, and no way to notify admins is set up.',
  ],
  [
    recipients({
      ...{ channels: [], members: [{ name: 'Ana', result: 'sent' }] },
      ...{ calendar: 'Primary', onCall: ['Ana'] },
    }),
    'Message to Ana. Ana is on call in Primary.',
  ],
  [recipients({ calendar: 'Primary' }), 'Message to Slack. Nobody is on call in Primary.'],
  [
    recipients({
      ...{ channels: [], calendar: 'Primary' },
      failure: { reason: 'status', status: 500, since: '2026-11-26T03:12:00Z' },
    }),
    'Reached nobody: the calendar Primary couldn’t be read since 03:12 UTC: HTTP 500.',
  ],
])('[INC-2.2] %j reads %s', (of, words) => {
  expect(recipientWords(of, new Date('2026-11-26T04:00:00Z'))).toBe(words);
});

it.each([
  [{ next: null, isOver: true }, 'Paging has ended with the incident.'],
  [{ next: null, isOver: false }, 'No step is left. Nobody else is notified.'],
  [
    { next: { number: 2, at: '2026-11-26T00:18:00.000Z' }, isOver: false },
    'Unless someone acknowledges the incident: step 2',
  ],
  [
    { next: { number: 3, at: null }, isOver: false },
    'Repeat 1 of step 2 waits while the incident is acknowledged, verified, silenced or muted.',
  ],
])('[INC-2.2] what is next of %j reads %s', (paging, words) => {
  expect(nextWords({ ...paging, stepCount: 2 })).toBe(words);
});
