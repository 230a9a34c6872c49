import { expect, it } from 'vitest';
import { testMessages } from './test-messages';

const facts = {
  organization: { id: 'org_1', slug: 'acme', name: 'Acme' },
  link: 'https://ops.example/acme/settings/notifications',
  channelId: 'ntc_1',
  test: 'test:1',
  at: '2026-11-24T14:00:00.000Z',
};

it('[INC-2.2] a test of a chat is one notice', () => {
  const messages = testMessages({ ...facts, alertsOnly: false });
  expect(messages.map(({ eventType }) => eventType)).toEqual(['channel.test']);
  expect(messages[0]?.message).not.toHaveProperty('alert');
});

it('[INC-2.2] a test of an on-call service opens an alert of the lowest severity and ends it', () => {
  const messages = testMessages({ ...facts, alertsOnly: true });
  expect(messages.map(({ eventType }) => eventType)).toEqual([
    'channel.test',
    'channel.test_ended',
  ]);
  expect(messages.map(({ message }) => message.alert)).toMatchObject([
    { dedupKey: 'tierwatch/test:1', sequence: 1, status: 'firing', severity: 'info' },
    { dedupKey: 'tierwatch/test:1', sequence: 2, status: 'resolved' },
  ]);
});
