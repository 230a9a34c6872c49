import { describe, expect, it } from 'vitest';
import { endpointSentence } from './endpoint-header';

const active = {
  url: 'https://hooks.acme.example/tierwatch',
  disabledAt: null,
  disabledReason: null,
  failingSince: null,
};
const disabledAt = '2026-11-21T14:00:00Z';

describe('an endpoint in one sentence', () => {
  it.each([
    ['Nothing has been sent yet. The next chain that ends sends the first event.', {}, undefined],
    ['Deliveries to hooks.acme.example are succeeding.', {}, 'delivered'],
    ['The latest event is being sent to hooks.acme.example.', {}, 'sending'],
    ['hooks.acme.example is enabled again and receives the next event.', {}, 'cancelled'],
    [
      'Deliveries to hooks.acme.example are failing. After 5 days without a success, it is disabled.',
      { failingSince: '2026-11-21T13:40:00Z' },
      'retrying',
    ],
    [
      'It was disabled manually. Nothing is sent to it.',
      { disabledAt, disabledReason: 'by_hand' },
      'delivered',
    ],
    [
      'hooks.acme.example responded 410 Gone, so it was disabled. Nothing is sent to it.',
      { disabledAt, disabledReason: 'gone' },
      'exhausted',
    ],
    [
      'hooks.acme.example failed for five days, so it was disabled. Fix the receiver, then enable it. Nothing is sent to it.',
      { disabledAt, disabledReason: 'failing_five_days' },
      'exhausted',
    ],
  ] as const)('%s', (sentence, facts, status) => {
    const newest = status && { status };
    expect(endpointSentence({ ...active, ...facts }, newest)).toBe(sentence);
  });
});
