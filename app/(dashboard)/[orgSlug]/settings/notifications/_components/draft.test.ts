import { describe, expect, it } from 'vitest';
import type { ChannelDto } from '@/lib/deliveries/channels/schema';
import {
  createInputOf,
  draftOf,
  fieldErrors,
  isAlertsOnly,
  newDraft,
  receivable,
  updateInputOf,
} from './draft';

const target = { fields: [], alertsOnly: false, isSigned: false, shownIn: null, isAvailable: true };
const url = { type: 'text', name: 'url', label: 'URL' } as const;
const slack = { ...target, kind: 'slack', name: 'Slack', fields: [url] };
const pager = { ...slack, kind: 'pagerduty', name: 'PagerDuty', alertsOnly: true };
const shape = {
  type: 'choice',
  name: 'shape',
  label: 'JSON',
  choices: ['tierwatch', 'events_v2'].map((value) => ({ value, label: value })),
} as const;
const webhook = { ...slack, fields: [url, shape], alertsOnly: { shape: 'events_v2' } };
const email = { ...slack, kind: 'email', shownIn: 'url' };

const stored: ChannelDto = {
  ...{ id: 'ntc_1', kind: 'slack', name: 'Ops', target: 'ops@x.example', alertsOnly: true },
  ...{ outcomes: ['fixed'], eventTypes: [], projectId: null, quietHours: null, last: null },
  ...{ createdAt: '', failingSince: null, disabledAt: null, disabledReason: null },
};

describe('[INC-2.2] a draft', () => {
  const draft = { ...newDraft('slack'), name: 'Ops', entered: { url: 'https://hooks.example/x' } };

  it('has the settings of its kind, with the first choice unless another is made', () => {
    const { settings } = createInputOf(draft, webhook);
    expect(settings).toEqual({
      ...{ kind: 'slack', url: 'https://hooks.example/x', shape: 'tierwatch' },
    });
  });

  it('of an on-call service keeps the subscriptions that it can receive', () => {
    const outcomes = ['needs_human', 'failed'];
    const input = createInputOf({ ...draft, outcomes }, pager);
    expect(input).toMatchObject({ outcomes: ['needs_human'], eventTypes: [] });
    const words = { needs_human: 'Needs a human', failed: 'Failed' };
    expect(receivable(draft, pager, words)).toEqual([['needs_human', 'Needs a human']]);
    expect(receivable(draft, slack, words)).toHaveLength(2);
  });

  it('keeps a target that is a secret unless it is replaced', () => {
    expect(updateInputOf(draft, slack)).not.toHaveProperty('settings');
    expect(updateInputOf({ ...draft, isTargetReplaced: true }, slack)).toHaveProperty('settings');
    expect(updateInputOf(draft, email)).toHaveProperty('settings');
  });

  it('of a stored channel shows its target only where that is no secret', () => {
    expect(draftOf(stored, email).entered).toEqual({ url: 'ops@x.example' });
    expect(draftOf(stored, slack)).toMatchObject({ entered: {}, outcomes: ['fixed'] });
  });

  it('of a stored channel that receives alerts only has the choice that says so', () => {
    expect(isAlertsOnly(draftOf(stored, webhook), webhook)).toBe(true);
    expect(isAlertsOnly(draftOf({ ...stored, alertsOnly: false }, webhook), webhook)).toBe(false);
  });
});

it('the error of one address stands at the addresses', () => {
  const errors = fieldErrors({
    'settings.addresses.1': 'Enter a full address.',
    name: 'Enter a name.',
  });
  expect(errors).toEqual({
    'settings-addresses': 'Enter a full address.',
    name: 'Enter a name.',
  });
});

it('[INC-2.2] quiet hours are kept, changed and removed with the rest of a channel', () => {
  const quietHours = { days: ['fri'] as const, from: '22:00', to: '07:00', timeZone: 'UTC' };
  const draft = { ...newDraft('slack'), name: 'Ops' };
  expect(createInputOf(draft, slack)).toMatchObject({ quietHours: null });
  expect(updateInputOf({ ...draft, quietHours }, slack)).toMatchObject({ quietHours });
  expect(fieldErrors({ 'quietHours.days': 'Choose.' })).toMatchObject({
    'quietHours-days': 'Choose.',
  });
});
