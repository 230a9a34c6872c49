import { describe, expect, it } from 'vitest';
import { incidentIn, rowOf } from '@/tests/support/incidents';
import {
  type AffectedService,
  acknowledgementOf,
  type Incident,
  incidentSchema,
  isActive,
  joiningIncidentSchema,
} from '../incident';
import { recordOf, toStored } from '../incident-rows';
import { INCIDENT_EVENT_KINDS } from '../states';
import type { QuotedSignal } from './event-kind';
import { applyEvent, type EventOf, type IncidentEvent, timelineText } from './registry';

const at = (minute: number) => new Date(Date.UTC(2026, 10, 26, 3, minute));
const OTHER = '0191a2b3-0000-7000-8000-000000000001';

const service = (changes: Partial<AffectedService> = {}): AffectedService => ({
  ...{ serviceId: 'web', name: 'web', status: 'down', worst: 'down', failingSince: at(0) },
  ...{ recoveredAt: null, error: '', wasFailing: true, relapses: 0, removedAt: null },
  ...changes,
});
const well = service({ status: 'healthy', recoveredAt: at(5), wasFailing: false });

/** Each state with everything that it can have. */
const acknowledgement = { at: at(3), by: 'Ana', endsAt: at(59) };
const silence = { by: 'Ana', endsAt: at(59) };
const failing = {
  ...{ silence, services: [service()], fixChainId: 'fix', humanDueAt: at(40) },
  needsHuman: { since: at(4), chainId: 'chain', unproven: null },
};
const verifying = { verifyingSince: at(5), silence, fixChainId: 'fix', services: [well] };
const ended = { verifyingSince: at(5), resolvedAt: at(15), acknowledgement, services: [well] };
const FULL = {
  open: incidentIn('open', { ...failing, lookDueAt: at(2) }),
  acknowledged: incidentIn('acknowledged', { ...failing, acknowledgement }),
  verifying: incidentIn('verifying', verifying),
  'verifying, acknowledged': incidentIn('verifying', { ...verifying, acknowledgement }),
  resolved: incidentIn('resolved', { ...ended, resolution: 'fixed', fixChainId: 'fix' }),
  merged: incidentIn('resolved', {
    ...{ ...ended, resolution: 'merged', resolvedBy: 'Ana', mergedIntoId: OTHER },
    services: [service({ removedAt: at(15) })],
  }),
} satisfies Record<string, Incident>;

const signals = { alerts: [], more: 0, firing: { serviceIds: [], hasOther: false } };
const note = { by: 'Ana', note: '' };
type After = Incident['state'] | 'never';
const SAME: After[] = ['open', 'acknowledged', 'verifying', 'verifying', 'resolved', 'resolved'];
const ENDS = Array<After>(6).fill('resolved');
/** The incident fails again, or the same fault is back. */
const FAILS: After[] = ['open', 'acknowledged', 'open', 'acknowledged', 'open', 'resolved'];
/** Nothing but the verification ends. */
const UNPROVEN: After[] = ['open', 'acknowledged', 'open', 'acknowledged', 'resolved', 'resolved'];

const joining = joiningIncidentSchema.parse({
  ...FULL.open,
  services: [service({ serviceId: 'db' })],
});
const unproven = [{ serviceId: 'web', service: 'web', type: 'http' }];
const failure: EventOf<'service_failing'> = {
  ...{ kind: 'service_failing', serviceId: 'web', name: 'web', status: 'down', error: '' },
  failingSince: at(20).toISOString(),
};
const chain = {
  kind: 'chain_ended',
  chainId: 'chain',
  text: '',
  startedAt: at(1).toISOString(),
} as const;

/** What follows each state of FULL. */
const AFTER: [IncidentEvent, After[]][] = [
  [failure, FAILS],
  [{ ...failure, chainId: 'chain', needsHuman: true }, FAILS],
  [
    { kind: 'service_recovered', serviceId: 'web' },
    ['verifying', 'verifying', 'verifying', 'verifying', 'resolved', 'resolved'],
  ],
  [{ kind: 'service_unknown', serviceId: 'web' }, UNPROVEN],
  [{ kind: 'service_removed', serviceId: 'web' }, ENDS],
  [
    {
      ...{ kind: 'alert_firing', ...signals, severity: 'warning', services: [], sources: [] },
      ...{ hasOther: true, startedAt: at(20).toISOString(), newestAt: at(20).toISOString() },
      firing: { serviceIds: [], hasOther: true },
    },
    FAILS,
  ],
  [{ kind: 'alert_ended', ...signals, isUnknown: false }, SAME],
  [{ kind: 'alert_ended', ...signals, isUnknown: true }, SAME],
  [{ kind: 'alerts_quiet' }, ENDS],
  [{ kind: 'chain_started', chainId: 'chain' }, SAME],
  [{ ...chain, outcome: 'fixed' }, SAME],
  [{ ...chain, outcome: 'failed' }, SAME],
  [{ kind: 'look_refused', text: '', isRetried: false }, SAME],
  [{ kind: 'needs_human' }, SAME],
  [{ kind: 'needs_human', unproven }, UNPROVEN],
  [{ kind: 'acknowledged', ...note, endsAt: null }, ['acknowledged', ...SAME.slice(1)]],
  [{ kind: 'acknowledgement_ended', by: null }, ['open', 'open', ...SAME.slice(2)]],
  [{ kind: 'verified' }, ['never', 'never', ...ENDS.slice(2)]],
  [{ kind: 'resolved', ...note }, ENDS],
  [{ kind: 'merged', ...note, into: { incidentId: OTHER, number: 1 } }, ENDS],
  [
    {
      ...{ kind: 'joined', ...note, from: { incidentId: OTHER, number: 1 }, joining },
      ...{ isNeedKnown: false, isChainAtWork: false },
    },
    UNPROVEN,
  ],
  [{ kind: 'silenced', ...note, endsAt: null }, SAME],
  [{ kind: 'silence_ended', by: null }, SAME],
];

const pairs = AFTER.flatMap(([event, after]) =>
  Object.entries(FULL).map(
    ([from, incident], index) => [from, event.kind, incident, event, after[index]] as const,
  ),
);

describe('[INC-2.1] every state and event', () => {
  it('is in the table', () => {
    expect([...new Set(AFTER.map(([{ kind }]) => kind))]).toEqual(INCIDENT_EVENT_KINDS);
  });

  it.each(pairs)('%s: %s', (_from, kind, before, event, expected) => {
    const apply = () => applyEvent(before, event, at(30)).incident;
    if (expected === 'never') {
      expect(apply).toThrow(`The event ${kind} can’t lead from ${before.state} to resolved.`);
      return;
    }
    const after = apply();
    expect(after.state).toBe(expected);
    // Nothing is left of the state before.
    expect(after).toEqual(incidentSchema.parse(after));
    const row = rowOf(after);
    expect(toStored(row)).toEqual({ ...recordOf(toStored(row)), ...after });
    // While a person is working on it, no agent looks.
    if (isActive(after) && acknowledgementOf(after)) expect(after).not.toHaveProperty('lookDueAt');
  });
});

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
