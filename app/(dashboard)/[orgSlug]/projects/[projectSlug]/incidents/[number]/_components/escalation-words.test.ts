import { expect, it } from 'vitest';
import type { Recipients } from '@/lib/deliveries/escalation/schema';
import { nextWords, recipientWords, stepName } from './escalation-words';

const recipients = (changes: Partial<Recipients> = {}): Recipients => ({
  channels: [{ name: 'Slack', result: 'sent' }],
  schedule: null,
  onCall: [],
  reportedTo: null,
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
    recipients({ schedule: 'Primary', onCall: ['Ana'] }),
    'Message to Slack. On call in Primary: Ana.',
  ],
  [recipients({ schedule: 'Primary' }), 'Message to Slack. Nobody was on call in Primary.'],
])('[INC-2.2] %j reads %s', (of, words) => {
  expect(recipientWords(of)).toBe(words);
});

it.each([
  [{ next: null, isOver: true }, 'The escalation has ended with the incident.'],
  [{ next: null, isOver: false }, 'No step is left. Nobody else is notified.'],
  [
    { next: { number: 2, at: '2026-11-26T00:18:00.000Z' }, isOver: false },
    'Unless someone acknowledges the incident: step 2',
  ],
  [
    { next: { number: 3, at: null }, isOver: false },
    'Repeat 1 of step 2 waits while the incident is acknowledged, verified, silenced or muted.',
  ],
])('[INC-2.2] what is next of %j reads %s', (escalation, words) => {
  expect(nextWords({ ...escalation, stepCount: 2 })).toBe(words);
});
