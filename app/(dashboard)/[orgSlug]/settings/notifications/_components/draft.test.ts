import { describe, expect, it } from 'vitest';
import { createInputOf, fieldErrors, NEW_CHANNEL, receivable, updateInputOf } from './draft';

describe('a draft', () => {
  it('takes addresses as people write them', () => {
    const draft = {
      ...NEW_CHANNEL,
      name: 'Ops',
      addresses: ' a@x.example, b@x.example;\nc@x.example ',
    };
    expect(createInputOf(draft).settings).toEqual({
      kind: 'email',
      addresses: ['a@x.example', 'b@x.example', 'c@x.example'],
    });
  });

  it('takes one Apprise URL a line', () => {
    const draft = {
      ...NEW_CHANNEL,
      kind: 'apprise' as const,
      urls: 'slack://a/b\n\npover://u@t\n',
    };
    expect(createInputOf(draft).settings).toMatchObject({ urls: ['slack://a/b', 'pover://u@t'] });
  });

  it('keeps the stored target of an Apprise channel when nothing is entered', () => {
    const draft = { ...NEW_CHANNEL, kind: 'apprise' as const, name: 'Pager' };
    expect(updateInputOf(draft)).not.toHaveProperty('settings');
    expect(updateInputOf({ ...draft, tags: 'night' })).toHaveProperty('settings');
    expect(updateInputOf({ ...draft, kind: 'email' })).toHaveProperty('settings');
  });
});

describe('[INC-2.2] a draft for', () => {
  const draft = { ...NEW_CHANNEL, name: 'Ops', url: 'https://hooks.example/x', routingKey: 'key' };

  it.each([
    ['slack', {}, { kind: 'slack', url: 'https://hooks.example/x' }],
    ['pagerduty', {}, { kind: 'pagerduty', routingKey: 'key', baseUrl: '' }],
    [
      'opsgenie',
      { product: 'opsgenie', apiKey: 'k' },
      { kind: 'opsgenie', product: 'opsgenie', apiKey: 'k', baseUrl: '' },
    ],
    [
      'oncall_webhook',
      { headers: 'Authorization: Bearer a:b\n\n X-Team :sre\nbroken' },
      {
        kind: 'oncall_webhook',
        url: 'https://hooks.example/x',
        shape: 'tierwatch',
        routingKey: '',
        headers: [
          { name: 'Authorization', value: 'Bearer a:b' },
          { name: 'X-Team', value: 'sre' },
          { name: 'broken', value: '' },
        ],
      },
    ],
    ['oncall_webhook', { shape: 'events_v2' }, { shape: 'events_v2', routingKey: 'key' }],
  ] as const)('%s with %j has its settings', (kind, changes, settings) => {
    expect(createInputOf({ ...draft, ...changes, kind }).settings).toMatchObject(settings);
  });

  it('an on-call service keeps the subscriptions that it can receive', () => {
    const outcomes = ['needs_human', 'failed'];
    const input = createInputOf({ ...draft, kind: 'pagerduty', outcomes });
    expect(input).toMatchObject({ outcomes: ['needs_human'], eventTypes: [] });
    const words = { needs_human: 'Needs a human', failed: 'Failed' };
    expect(receivable({ ...draft, kind: 'pagerduty' }, words)).toEqual([
      ['needs_human', 'Needs a human'],
    ]);
    expect(receivable({ ...draft, kind: 'slack' }, words)).toHaveLength(2);
  });

  it.each(['slack', 'pagerduty', 'opsgenie', 'oncall_webhook'] as const)(
    '%s keeps its target unless it is replaced',
    (kind) => {
      const kept = { ...draft, kind };
      expect(updateInputOf(kept)).not.toHaveProperty('settings');
      expect(updateInputOf({ ...kept, isTargetReplaced: true })).toHaveProperty('settings');
    },
  );
});

it('the error of one address stands at the addresses', () => {
  const errors = fieldErrors({
    'settings.addresses.1': 'Enter a full address.',
    name: 'Enter a name.',
  });
  expect(errors).toMatchObject({ addresses: 'Enter a full address.', name: 'Enter a name.' });
  expect(errors.urls).toBeUndefined();
});

it('[INC-2.2] quiet hours are kept, changed and removed with the rest of a channel', () => {
  const quietHours = { days: ['fri'] as const, from: '22:00', to: '07:00', timeZone: 'UTC' };
  const draft = { ...NEW_CHANNEL, name: 'Ops' };
  expect(createInputOf(draft)).toMatchObject({ quietHours: null });
  expect(updateInputOf({ ...draft, quietHours })).toMatchObject({ quietHours });
  expect(fieldErrors({ 'quietHours.days': 'Choose.' })).toMatchObject({
    'quietHours-days': 'Choose.',
  });
});
