import { expect, it } from 'vitest';
import type { QuotedSignal } from './event-kind';
import { type EventOf, type IncidentEvent, timelineText } from './registry';

const names = {
  service: (id: string) => (id === 's' ? 'web' : 'A service'),
  chain: (id: string) => (id === 'c' ? 'Chain #5' : 'A deleted chain'),
};
const fails = (error: string): IncidentEvent => ({
  ...{ kind: 'service_failing', serviceId: 's', name: 'web', status: 'down', error },
  failingSince: '2026-11-26T03:02:00Z',
});

const LATENCY: QuotedSignal = {
  ...{ alertId: 'a', title: 'High latency', source: 'Prometheus', status: 'firing' },
  ...{ severity: 'warning', service: 'web' },
};
const NOTHING = { serviceIds: [], hasOther: false };
const FIRING: EventOf<'alert_firing'> = {
  ...{ kind: 'alert_firing', alerts: [], more: 0, severity: 'warning', services: [], sources: [] },
  ...{ hasOther: false, startedAt: '', newestAt: '', firing: NOTHING },
};
const ENDED: EventOf<'alert_ended'> = {
  ...{ kind: 'alert_ended', alerts: [{ ...LATENCY, status: 'resolved' }], more: 0 },
  ...{ firing: NOTHING, isUnknown: false },
};

it.each<[IncidentEvent, string]>([
  [fails('Connection refused.'), 'web is down. Connection refused.'],
  [fails(''), 'web is down.'],
  [{ kind: 'service_recovered', serviceId: 's' }, 'web is healthy again.'],
  [
    { kind: 'silenced', by: 'Ana', endsAt: '2026-11-26T03:02:00.000Z', note: 'Known.' },
    'Ana silenced it until 2026-11-26 03:02 UTC. Known.',
  ],
  [
    { kind: 'silenced', by: 'Ana', endsAt: null, note: '' },
    'Ana silenced it until it is resolved.',
  ],
  [{ kind: 'silence_ended', by: 'Ben' }, 'Ben ended the silence.'],
  [{ kind: 'silence_ended', by: null }, 'The silence ended.'],
  [{ ...fails('Refused.'), chainId: 'c' } as IncidentEvent, 'Chain #5 found web down. Refused.'],
  [
    { ...fails(''), chainId: 'c', isReported: true } as IncidentEvent,
    'The agent of Chain #5 reported web down.',
  ],
  [{ kind: 'service_recovered', serviceId: 's', chainId: 'c' }, 'Chain #5 found web healthy.'],
  [
    { kind: 'service_recovered', serviceId: 's', chainId: 'c', isReported: true },
    'The agent of Chain #5 reported web healthy.',
  ],
  [
    { kind: 'alerts_quiet', isFinding: true },
    'No chain has found a failure for the whole window, and no check confirms the recovery. It is resolved.',
  ],
  [
    { kind: 'needs_human', unproven: [{ serviceId: 's', service: 'web', type: 'http' }] },
    'The verification took too long, so it needs a human. Nothing proves the recovery: the http check of web gives no result.',
  ],
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
  [{ ...FIRING, alerts: [LATENCY] }, 'Alert “High latency” of Prometheus for web fires.'],
  [
    { ...FIRING, alerts: [{ ...LATENCY, service: null, title: 'a\n\u202eb' }, LATENCY], more: 11 },
    'Alert “a <U+202E>b” of Prometheus, and 12 more alerts fire.',
  ],
  [ENDED, 'Alert “High latency” of Prometheus for web: the source reports the end.'],
  [
    { ...ENDED, isUnknown: true },
    'Alert “High latency” of Prometheus for web: nothing has been received about it for so long that nobody knows how it ended.',
  ],
  [
    { ...ENDED, alerts: [{ ...LATENCY, status: 'stale' }] },
    'Alert “High latency” of Prometheus for web: nothing has been received about it for long. The checks decide.',
  ],
  [
    { kind: 'alerts_quiet' },
    'No alert has fired for the whole window. That is what the sources report, and no check confirms it. It is resolved.',
  ],
])('[INC-2.1] says what happened: %j', (event, text) => {
  expect(timelineText(event, names)).toBe(text);
});
