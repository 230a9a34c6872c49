import { describe, expect, it } from 'vitest';
import { openByAlerts } from './apply-alert';
import { applyEvent, openIncident } from './apply-event';
import type { Incident, IncidentEvent, IncidentNotice } from './incident';

type Firing = Extract<IncidentEvent, { kind: 'alert_firing' }>;

const at = (minute: number) => new Date(Date.UTC(2026, 10, 26, 3, minute));
const NOTHING = { serviceIds: [], hasOther: false };

/** An alert about these services; without any, about none of the project's. */
const fires = (services: string[], minute: number, changes: Partial<Firing> = {}): Firing => ({
  kind: 'alert_firing',
  alerts: [
    {
      ...{ alertId: 'a', title: 'High latency', source: 'Prometheus', status: 'firing' },
      ...{ severity: 'warning', service: services[0] ?? null },
    },
  ],
  more: 0,
  severity: 'warning',
  services: services.map((serviceId) => ({ serviceId, name: serviceId })),
  sources: ['Prometheus'],
  hasOther: services.length === 0,
  startedAt: at(minute).toISOString(),
  newestAt: at(minute).toISOString(),
  firing: { serviceIds: services, hasOther: services.length === 0 },
  ...changes,
});
const ends = (changes: Partial<Extract<IncidentEvent, { kind: 'alert_ended' }>> = {}) =>
  ({
    ...{ kind: 'alert_ended', alerts: [], more: 0, firing: NOTHING, isUnknown: false },
    ...changes,
  }) as IncidentEvent;
const fails = (serviceId: string, minute: number): IncidentEvent => ({
  ...{ kind: 'service_failing', serviceId, name: serviceId, status: 'down', error: '' },
  failingSince: at(minute).toISOString(),
});
const recovers = (serviceId: string): IncidentEvent => ({ kind: 'service_recovered', serviceId });
const ack: IncidentEvent = { kind: 'acknowledged', by: 'Ana', endsAt: null, note: '' };

/** What follows from events, one a minute: the first opens the incident at minute 2. */
function play(first: IncidentEvent, ...others: IncidentEvent[]) {
  if (first.kind !== 'alert_firing' && first.kind !== 'service_failing') throw new Error('No.');
  const opened =
    first.kind === 'alert_firing'
      ? openByAlerts(first, at(2))
      : openIncident('check', first, at(2));
  let { incident } = opened;
  const all: IncidentNotice[] = [...opened.notices];
  for (const [index, event] of others.entries()) {
    const applied = applyEvent(incident, event, at(3 + index));
    incident = applied.incident;
    all.push(...applied.notices);
  }
  return { incident, notices: all };
}

describe('[INC-1.3] alerts in an incident', () => {
  it('open one that begins when the first of them did', () => {
    const { incident } = play(fires(['web'], 0, { severity: 'critical' }));
    expect(incident).toMatchObject({
      ...{
        state: 'open',
        source: 'alert',
        severity: 'critical',
        startedAt: at(0),
        openedAt: at(2),
      },
      ...{ lookDueAt: at(2), services: [] },
      alerts: { title: 'High latency', services: [{ serviceId: 'web' }], sources: ['Prometheus'] },
    });
  });

  it.each<[string, IncidentEvent[], Partial<Incident>, IncidentNotice[]]>([
    [
      'verify it once all have ended',
      [fires(['web'], 0), ends()],
      { state: 'verifying', verifyingSince: at(3) },
      ['opened', 'verifying'],
    ],
    [
      'resolve it as reported if nothing can be checked',
      [fires(['web'], 0), ends(), { kind: 'alerts_quiet' }],
      { state: 'resolved', resolution: 'reported' },
      ['opened', 'verifying', 'resolved'],
    ],
    [
      'change nothing by the end of one while another fires',
      [fires(['web', 'db'], 0), ends({ firing: { serviceIds: ['db'], hasOther: false } })],
      { state: 'open', verifyingSince: null },
      ['opened'],
    ],
    [
      'change nothing by their end while a check fails',
      [fails('web', 0), fires(['web'], 1), ends()],
      { state: 'open', verifyingSince: null },
      ['opened'],
    ],
    [
      'don’t hold it once the checks of their service pass again',
      [fails('web', 0), fires(['web'], 1), recovers('web')],
      { state: 'verifying' },
      ['opened', 'verifying'],
    ],
    [
      'hold it while they are about what those checks don’t cover',
      [fails('web', 0), fires(['db'], 1), recovers('web')],
      { state: 'open', verifyingSince: null, lookDueAt: at(3) },
      ['opened'],
    ],
    [
      'hold one that was acknowledged as such',
      [fails('web', 0), fires([], 1), ack, recovers('web')],
      { state: 'acknowledged' },
      ['opened', 'acknowledged'],
    ],
    [
      'need a human if nobody knows how they ended',
      [fires(['web'], 0), ends({ isUnknown: true })],
      { state: 'open', needsHuman: { since: at(3), chainId: null } },
      ['opened', 'needs_human'],
    ],
    [
      'notify nobody of that while a person works on it',
      [fires(['web'], 0), ack, ends({ isUnknown: true })],
      { state: 'acknowledged' },
      ['opened', 'acknowledged'],
    ],
    [
      'start a look if they bring in another service',
      [fires(['web'], 0), { kind: 'chain_started', chainId: 'c' }, fires(['db'], 3)],
      { lookDueAt: at(4) },
      ['opened'],
    ],
    [
      'start none for a service that is known',
      [fails('web', 0), { kind: 'chain_started', chainId: 'c' }, fires(['web'], 3)],
      { lookDueAt: null },
      ['opened'],
    ],
    [
      'start none while a person works on it',
      [fails('web', 0), { kind: 'chain_started', chainId: 'c' }, ack, fires(['db'], 3)],
      { lookDueAt: null, state: 'acknowledged' },
      ['opened', 'acknowledged'],
    ],
    [
      'bring it back from the verification, and tell nobody',
      [fires(['web'], 0), ends(), fires(['web'], 4)],
      { state: 'open', verifyingSince: null, lookDueAt: at(4), needsHuman: null },
      ['opened', 'verifying'],
    ],
    [
      'need a human the second time',
      [fires(['web'], 0), ends(), fires(['web'], 4), ends(), fires(['web'], 6)],
      { state: 'open', lookDueAt: null, needsHuman: { since: at(6), chainId: null } },
      ['opened', 'verifying', 'verifying', 'needs_human'],
    ],
    [
      'say nothing new if they began before the checks passed',
      [fails('web', 0), recovers('web'), fires(['web'], 2)],
      { state: 'verifying', verifyingSince: at(3), lookDueAt: null },
      ['opened', 'verifying'],
    ],
    [
      'reopen it',
      [fires(['web'], 0), ends(), { kind: 'alerts_quiet' }, fires(['web'], 5)],
      { state: 'open', reopenings: 1, lookDueAt: at(5), resolution: null },
      ['opened', 'verifying', 'resolved', 'reopened'],
    ],
    [
      'make it critical, and never less',
      [fails('web', 0), fires(['web'], 1)],
      { severity: 'critical' },
      ['opened'],
    ],
  ])('%s', (_title, [first, ...others], expected, notices) => {
    if (!first) throw new Error('No event.');
    const played = play(first, ...others);
    expect(played.incident).toMatchObject(expected);
    expect(played.notices).toEqual(notices);
  });
});
