import { describe, expect, it } from 'vitest';
import { endpointState, endpointsSentence, hostOf } from './endpoint-state';

const active = {
  url: 'https://hooks.acme.example/services/T0/secret?key=1',
  disabledAt: null,
  disabledReason: null,
  failingSince: null,
};
const failing = { ...active, failingSince: '2026-11-21T13:40:00Z' };
const disabled = { ...active, disabledAt: '2026-11-21T14:00:00Z', disabledReason: 'by_hand' };

describe('an endpoint is shown as', () => {
  it.each([
    ['active', active],
    ['failing', failing],
    ['disabled', disabled],
    ['disabled', { ...disabled, disabledReason: 'gone' }],
    ['disabled_auto', { ...failing, ...disabled, disabledReason: 'failing_five_days' }],
  ])('%s', (state, endpoint) => {
    expect(endpointState({ ...active, ...endpoint })).toBe(state);
  });

  it('its host, since path and query may hold a secret', () => {
    expect(hostOf(active.url)).toBe('hooks.acme.example');
  });
});

describe('all endpoints in one sentence', () => {
  it.each([
    ['No endpoint receives events. No webhook is sent when a chain ends.', []],
    ['Deliveries to the endpoint are succeeding.', [active]],
    ['All 2 endpoints are receiving deliveries.', [active, active]],
    ['hooks.acme.example is failing.', [active, failing]],
    [
      '2 endpoints are failing; hooks.acme.example is disabled and receives nothing.',
      [failing, disabled, failing],
    ],
  ])('%s', (sentence, endpoints) => {
    expect(endpointsSentence(endpoints)).toBe(sentence);
  });
});
