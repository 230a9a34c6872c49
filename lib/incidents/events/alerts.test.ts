import { describe, expect, it } from 'vitest';
import { type Facts, withFacts } from '@/tests/support/incidents';
import { factsOf } from '../incident';
import type { IncidentNotice } from '../states';
import { openBySignals } from './alert-firing';
import { applyEvent, type EventOf, type IncidentEvent } from './registry';
import { openByFailure } from './service-failing';

type Firing = EventOf<'alert_firing'>;

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
const ends = (changes: Partial<EventOf<'alert_ended'>> = {}) =>
  ({
    ...{ kind: 'alert_ended', alerts: [], more: 0, firing: NOTHING, isUnknown: false },
    ...changes,
  }) as IncidentEvent;
const fails = (serviceId: string, minute: number): IncidentEvent => ({
  ...{ kind: 'service_failing', serviceId, name: serviceId, status: 'down', error: '' },
  failingSince: at(minute).toISOString(),
});
const recovers = (serviceId: string): IncidentEvent => ({ kind: 'service_recovered', serviceId });
const removed = (serviceId: string): IncidentEvent => ({ kind: 'service_removed', serviceId });
const started: IncidentEvent = { kind: 'chain_started', chainId: 'c' };
/** Checks need 3 minutes to notice a fix, and sources of alerts as many as are given. */
const fixed = (recheckMinutes = 3): IncidentEvent => ({
  ...{ kind: 'chain_ended', chainId: 'c', outcome: 'fixed', text: '' },
  ...{ startedAt: at(2).toISOString(), recheckMs: recheckMinutes * 60_000 },
});
const verified: IncidentEvent = { kind: 'verified' };
const resolves: IncidentEvent = { kind: 'resolved', by: 'Ana', note: '' };
const firingNow = (...serviceIds: string[]) => ({ firing: { serviceIds, hasOther: false } });
const ack: IncidentEvent = { kind: 'acknowledged', by: 'Ana', endsAt: null, note: '' };

/** What follows from events, one a minute: the first opens the incident at minute 2. */
function play(first: IncidentEvent, ...others: IncidentEvent[]) {
  if (first.kind !== 'alert_firing' && first.kind !== 'service_failing') throw new Error('No.');
  const opened =
    first.kind === 'alert_firing'
      ? openBySignals(first, at(2))
      : openByFailure('check', first, at(2));
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

  it.each<[string, IncidentEvent[], Facts, IncidentNotice[]]>([
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
      'bring it back from the verification, which whoever was notified of that learns',
      [fires(['web'], 0), ends(), fires(['web'], 4)],
      { state: 'open', verifyingSince: null, lookDueAt: at(4), needsHuman: null },
      ['opened', 'verifying', 'verification_failed'],
    ],
    [
      'need a human the second time',
      [fires(['web'], 0), ends(), fires(['web'], 4), ends(), fires(['web'], 6)],
      { state: 'open', lookDueAt: null, needsHuman: { since: at(6), chainId: null } },
      [
        'opened',
        'verifying',
        'verification_failed',
        'verifying',
        'needs_human',
        'verification_failed',
      ],
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
    expect(withFacts(played.incident)).toMatchObject(expected);
    expect(played.notices).toEqual(notices);
  });
});

type Case = [string, IncidentEvent[], Facts, IncidentNotice[]];

function expectPlayed([, [first, ...others], expected, notices]: Case): void {
  if (!first) throw new Error('No event.');
  const played = play(first, ...others);
  expect(withFacts(played.incident)).toMatchObject(expected);
  expect(played.notices).toEqual(notices);
}

const REMOVALS: Case[] = [
  [
    'an alert about it holds the incident open',
    [fails('web', 0), fires(['web'], 1), removed('web')],
    { state: 'open', verifyingSince: null },
    ['opened'],
  ],
  [
    'and its end is only reported',
    [fails('web', 0), fires(['web'], 1), removed('web'), ends(), { kind: 'alerts_quiet' }],
    { state: 'resolved', resolution: 'reported', verifyingSince: at(5), fixChainId: null },
    ['opened', 'verifying', 'resolved'],
  ],
  [
    'an alert about it that fires brings the incident back from its verification',
    [fails('web', 0), started, fires(['web'], 1), recovers('web'), removed('web')],
    { state: 'open', verifyingSince: null, lookDueAt: at(6), fixChainId: null },
    ['opened', 'verifying', 'verification_failed'],
  ],
  [
    'and no agent looks then while a person works on it',
    [fails('web', 0), started, fires(['web'], 1), ack, recovers('web'), removed('web')],
    { state: 'acknowledged', verifyingSince: null, lookDueAt: null },
    ['opened', 'acknowledged', 'verifying', 'verification_failed'],
  ],
  [
    'an alert about it that has ended changes nothing: it is removed, and not reported',
    [fails('web', 0), fires(['web'], 1), ends(), removed('web')],
    { state: 'resolved', resolution: 'removed' },
    ['opened', 'resolved'],
  ],
  [
    'an alert that has ended about something else is verified first',
    [fails('web', 0), fires(['db'], 1), ends(), removed('web')],
    { state: 'verifying', verifyingSince: at(5) },
    ['opened', 'verifying'],
  ],
  [
    'an alert that has ended about no service is verified first',
    [fails('web', 0), fires([], 1), ends(), removed('web')],
    { state: 'verifying', verifyingSince: at(5) },
    ['opened', 'verifying'],
  ],
  [
    'it leaves the verification of the others alone',
    [
      fails('web', 0),
      fails('db', 0),
      fires(['web'], 1),
      ends(),
      recovers('web'),
      recovers('db'),
    ].concat(removed('web')),
    { state: 'verifying', verifyingSince: at(7) },
    ['opened', 'verifying'],
  ],
  [
    'an alert about it that nobody can confirm the end of needs a human',
    [fails('web', 0), fires(['web'], 1), removed('web'), ends({ isUnknown: true })],
    { state: 'open', needsHuman: { since: at(5), chainId: null } },
    ['opened', 'needs_human'],
  ],
  [
    'it is part of the incident again once its checks come back and fail',
    [fails('web', 0), fires(['db'], 1), removed('web'), fails('web', 4), ends()],
    { state: 'open', verifyingSince: null },
    ['opened'],
  ],
];

describe('[INC-2.1] when a service of the incident has no checks anymore', () => {
  it.each(REMOVALS)('%s', (...given) => expectPlayed(given));
});

const CREDITS: [string, IncidentEvent[], string | null][] = [
  [
    'goes to the fix if the alert ends within its time, too',
    [fails('web', 0), fires(['db'], 1), started, fixed(15), recovers('web'), ends()],
    'c',
  ],
  [
    'doesn’t go to a fix after which the alert lasted too long',
    [fails('web', 0), fires(['db'], 1), started, fixed(1), recovers('web'), recovers('web')].concat(
      ends(),
    ),
    null,
  ],
  [
    'doesn’t go to a fix whose service was removed while the alert held the incident',
    [
      ...[fails('web', 0), fails('db', 0), recovers('db'), fires(['web'], 1), started, fixed(15)],
      ...[removed('web'), ends()],
    ],
    null,
  ],
  [
    'doesn’t go to a fix after which the alert fired again',
    [
      ...[fires(['db'], 0), started, fixed(15), ends(), fires(['db'], 6)],
      // Of another chain, which had started before.
      { ...fixed(15), chainId: 'd', outcome: 'healthy' } as IncidentEvent,
      ends(),
    ],
    null,
  ],
  [
    'goes to the fix although a check fails that the alert has reported',
    [fires(['web'], 0), started, fails('web', 2), fixed(3), recovers('web'), verified],
    'c',
  ],
  [
    'is nobody’s where a person resolves it',
    [fails('web', 0), fires(['db'], 1), started, fixed(15), recovers('web'), ends(), resolves],
    null,
  ],
  [
    'is nobody’s where only the source reports the end',
    [fires(['db'], 0), started, fixed(15), ends(), { kind: 'alerts_quiet' }],
    null,
  ],
];

describe('[INC-3.2] the credit for a recovery of checks and alerts', () => {
  it.each(CREDITS)('%s', (_title, [first, ...others], chainId) => {
    if (!first) throw new Error('No event.');
    expect(factsOf(play(first, ...others).incident).fixChainId).toBe(chainId);
  });
});

const FAILING_AGAIN: Case[] = [
  [
    'a check that fails while an alert about its service fires is no news',
    [fires(['web'], 0), started, fails('web', 2)],
    { state: 'open', lookDueAt: null },
    ['opened'],
  ],
  [
    'it is once the look was refused',
    [fires(['web'], 0), { kind: 'look_refused', text: '', isRetried: false }, fails('web', 3)],
    { lookDueAt: at(4), needsHuman: { since: at(3), chainId: null } },
    ['opened', 'needs_human'],
  ],
  [
    'an alert and a check that see the same relapse get one look',
    [
      ...[fails('web', 0), fires(['web'], 1), started, recovers('web')],
      ...[fires(['web'], 7), started, fails('web', 7)],
    ],
    { state: 'open', lookDueAt: null, needsHuman: null },
    ['opened', 'verifying', 'verification_failed'],
  ],
  [
    'a relapse while the alert never ended gets a look',
    [
      ...[fails('web', 0), fails('db', 0), fires(['web'], 1), started, recovers('web')],
      fails('web', 7),
    ],
    { state: 'open', lookDueAt: at(7) },
    ['opened'],
  ],
  [
    'the second relapse needs a human, though an alert alone saw the first',
    [
      ...[fails('web', 0), recovers('web'), fires(['web'], 4), ends()],
      ...[started, fails('web', 7)],
    ],
    { state: 'open', needsHuman: { since: at(7), chainId: null }, lookDueAt: null },
    [
      'opened',
      'verifying',
      'verification_failed',
      'verifying',
      'needs_human',
      'verification_failed',
    ],
  ],
  [
    'the second relapse needs a human, though checks alone saw the first',
    [...[fails('web', 0), recovers('web'), fails('web', 4), recovers('web')], fires(['web'], 6)],
    { state: 'open', needsHuman: { since: at(6), chainId: null }, lookDueAt: null },
    [
      'opened',
      'verifying',
      'verification_failed',
      'verifying',
      'needs_human',
      'verification_failed',
    ],
  ],
  [
    'relapses of one service don’t count for alerts about another',
    [...[fails('web', 0), recovers('web'), fails('web', 4), recovers('web')], fires(['db'], 6)],
    { state: 'open', needsHuman: null, lookDueAt: at(6) },
    ['opened', 'verifying', 'verification_failed', 'verifying', 'verification_failed'],
  ],
  [
    'people are notified once that they are needed, however often it returns',
    [
      ...[fires(['db'], 0), ends(), fires(['db'], 4), ends(), fires(['db'], 6), ends()],
      fires(['db'], 8),
    ],
    { state: 'open', needsHuman: { since: at(8), chainId: null }, lookDueAt: null },
    [
      'opened',
      'verifying',
      'verification_failed',
      'verifying',
      'needs_human',
      'verification_failed',
      'verifying',
      'verification_failed',
    ],
  ],
  [
    'while a person works on it, there is no look, and nobody is needed',
    [
      ...[fails('web', 0), started, ack, fires(['db'], 4), recovers('web'), ends()],
      ...[fires(['db'], 8), ends(), fires(['db'], 10)],
    ],
    { state: 'acknowledged', lookDueAt: null, humanDueAt: null },
    [
      'opened',
      'acknowledged',
      'verifying',
      'verification_failed',
      'verifying',
      'verification_failed',
    ],
  ],
];

describe('[INC-1.3] a fault that both checks and alerts report', () => {
  it.each(FAILING_AGAIN)('%s', (...given) => expectPlayed(given));
});

const MANUAL: Case[] = [
  [
    'mutes alerts about the failure that lasts',
    [fails('web', 0), resolves, fires(['web'], 4)],
    { state: 'resolved', resolution: 'manual', reopenings: 0 },
    ['opened', 'resolved'],
  ],
  [
    'mutes none about another service',
    [fails('web', 0), resolves, fires(['web', 'db'], 4)],
    { state: 'open', reopenings: 1 },
    ['opened', 'resolved', 'reopened'],
  ],
  [
    'mutes none after a recovery',
    [fails('web', 0), resolves, recovers('web'), fires(['web'], 5)],
    { state: 'open', reopenings: 1 },
    ['opened', 'resolved', 'reopened'],
  ],
  [
    'mutes none once nothing checks the service anymore',
    [fails('web', 0), resolves, removed('web'), fires(['web'], 5)],
    { state: 'open', reopenings: 1 },
    ['opened', 'resolved', 'reopened'],
  ],
  [
    'leaves no alert behind that would hold it open after it was reopened',
    [
      ...[fails('web', 0), fires(['db'], 1), resolves, ends()],
      ...[recovers('web'), fails('web', 7), recovers('web')],
    ],
    { state: 'verifying', reopenings: 1 },
    ['opened', 'resolved', 'reopened', 'verifying'],
  ],
  [
    'keeps one that still fires',
    [
      ...[fails('web', 0), fires(['web', 'db'], 1), resolves, ends(firingNow('db'))],
      ...[recovers('web'), fails('web', 7), recovers('web')],
    ],
    { state: 'open', reopenings: 1 },
    ['opened', 'resolved', 'reopened'],
  ],
];

describe('[INC-2.1] a manual resolution of checks and alerts', () => {
  it.each(MANUAL)('%s', (...given) => expectPlayed(given));
});
