import { expect, it } from 'vitest';
import type { IncidentEvent } from '@/lib/incidents/incident';
import { timelineText } from './timeline';

const names = {
  services: new Map([['s', 'web']]),
  chains: new Map([['c', { number: 5 }]]),
};
const fails = (error: string): IncidentEvent => ({
  ...{ kind: 'service_failing', serviceId: 's', name: 'web', status: 'down', error },
  failingSince: '2026-11-26T03:02:00Z',
});

it.each<[IncidentEvent, string]>([
  [fails('Connection refused.'), 'web is down. Connection refused.'],
  [fails(''), 'web is down.'],
  [{ kind: 'service_recovered', serviceId: 's' }, 'web is healthy again.'],
  [{ kind: 'service_unknown', serviceId: 'gone' }, 'A service can’t be checked.'],
  [
    { kind: 'service_removed', serviceId: 's' },
    'Nothing checks web anymore, so it leaves the incident.',
  ],
  [{ kind: 'chain_started', chainId: 'c' }, 'Chain #5 started.'],
  [{ kind: 'chain_started', chainId: 'gone' }, 'A deleted chain started.'],
  [
    { kind: 'chain_ended', chainId: 'c', outcome: 'fixed', text: 'Tier 2 reported a fix for web.' },
    'Chain #5 ended. Tier 2 reported a fix for web.',
  ],
  [
    { kind: 'chain_ended', chainId: 'c', outcome: 'needs_human', text: '' },
    'Chain #5 needs a human.',
  ],
  [{ kind: 'look_refused', text: 'Checkout is paused.' }, 'No chain starts. Checkout is paused.'],
  [{ kind: 'needs_human' }, 'It still fails after the last chain, so it needs a human.'],
  [
    { kind: 'acknowledged', by: 'Ana', endsAt: null, note: 'On it.' },
    'Ana acknowledged it. On it.',
  ],
  [{ kind: 'acknowledgement_ended', by: null }, 'The acknowledgement ended.'],
  [{ kind: 'acknowledgement_ended', by: 'Ana' }, 'Ana removed the acknowledgement.'],
  [{ kind: 'verified' }, 'All checks have passed for the whole window. It is resolved.'],
  [{ kind: 'resolved', by: 'Ana', note: '' }, 'Ana resolved it.'],
])('[INC-2.1] says what happened: %j', (event, text) => {
  expect(timelineText(event, names)).toBe(text);
});
