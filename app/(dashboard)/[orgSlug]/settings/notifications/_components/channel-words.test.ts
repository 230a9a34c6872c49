import { describe, expect, it } from 'vitest';
import { channelState, channelsSentence, subscriptionWords } from './channel-words';

const channel = {
  name: 'On-call',
  outcomes: ['needs_human'],
  disabledAt: null,
  disabledReason: null,
  failingSince: null,
};
const at = '2026-11-21T14:00:00Z';

describe('the channels in one sentence', () => {
  it.each([
    ['No channel is subscribed to chains that need a human.', []],
    [
      'No channel is subscribed to chains that need a human.',
      [{ ...channel, outcomes: ['fixed'] }],
    ],
    ['No channel is subscribed to chains that need a human.', [{ ...channel, disabledAt: at }]],
    ['When a chain needs a human, On-call is notified.', [channel]],
    [
      'When a chain needs a human, On-call and Pager are notified.',
      [channel, { ...channel, name: 'Pager' }],
    ],
    [
      'Pager is failing. Its messages are retried, up to 8 attempts each.',
      [channel, { ...channel, name: 'Pager', failingSince: at }],
    ],
  ])('%s', (sentence, channels) => {
    expect(channelsSentence(channels)).toBe(sentence);
  });
});

it.each([
  ['active', {}],
  ['failing', { failingSince: at }],
  ['muted', { failingSince: at, disabledAt: at, disabledReason: 'muted' }],
  ['disabled_rejected', { disabledAt: at, disabledReason: 'rejected' }],
  ['disabled_auto', { disabledAt: at, disabledReason: 'failing_five_days' }],
])('a channel is %s', (state, changes) => {
  expect(channelState({ ...channel, ...changes })).toBe(state);
});

it('its events are named in the words of the badges', () => {
  const heard = { outcomes: ['needs_human'], eventTypes: ['runner.offline', 'of.tomorrow'] };
  expect(subscriptionWords(heard)).toBe('Needs a human, Runner offline, of.tomorrow');
});
