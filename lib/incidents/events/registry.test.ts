import { describe, expect, it } from 'vitest';
import { type Facts, withFacts } from '@/tests/support/incidents';
import { heldServices } from '../signals-of-incident';
import type { IncidentNotice } from '../states';
import { applyEvent, type IncidentEvent } from './registry';
import { openByFailure } from './service-failing';

const at = (minute: number) => new Date(Date.UTC(2026, 10, 26, 3, minute));
const RECHECK_MS = 3 * 60_000;

const fails = (
  serviceId: string,
  minute: number,
  status: 'degraded' | 'down' = 'down',
): IncidentEvent => ({
  kind: 'service_failing',
  serviceId,
  name: serviceId,
  status,
  failingSince: at(minute).toISOString(),
  error: 'Connection refused.',
});
const recovers = (serviceId: string): IncidentEvent => ({ kind: 'service_recovered', serviceId });
const unknown = (serviceId: string): IncidentEvent => ({ kind: 'service_unknown', serviceId });
const removed = (serviceId: string): IncidentEvent => ({ kind: 'service_removed', serviceId });
const ends = (outcome: string, startedMinute = 3): IncidentEvent => {
  const startedAt = at(startedMinute).toISOString();
  return {
    kind: 'chain_ended',
    chainId: 'chain',
    outcome,
    text: '',
    startedAt,
    recheckMs: RECHECK_MS,
  };
};
const refused = (isRetried: boolean): IncidentEvent => {
  return { kind: 'look_refused', text: 'Checkout is paused.', isRetried };
};
const resolves: IncidentEvent = { kind: 'resolved', by: 'Ana', note: '' };
const started: IncidentEvent = { kind: 'chain_started', chainId: 'chain' };
const ack: IncidentEvent = { kind: 'acknowledged', by: 'Ana', endsAt: null, note: '' };
const verified: IncidentEvent = { kind: 'verified' };
const ackEnds: IncidentEvent = { kind: 'acknowledgement_ended', by: null };

/** What follows from events, one a minute: the first opens the incident at minute 2. */
function play(first: IncidentEvent, ...others: IncidentEvent[]) {
  if (first.kind !== 'service_failing') throw new Error('Only a failure opens an incident.');
  let { incident, notices } = openByFailure('check', first, at(2));
  const all: IncidentNotice[] = [...notices];
  for (const [index, event] of others.entries()) {
    ({ incident, notices } = applyEvent(incident, event, at(3 + index)));
    all.push(...notices);
  }
  return { incident, notices: all };
}

describe('[INC-2.1] an incident', () => {
  it('begins with the first failed check, not when it was noticed', () => {
    const { incident } = play(fails('web', 0));
    expect(incident).toMatchObject({
      state: 'open',
      severity: 'critical',
      startedAt: at(0),
      openedAt: at(2),
      lookDueAt: at(2),
    });
  });

  it.each<[string, IncidentEvent[], Facts, IncidentNotice[]]>([
    [
      'is verified once all services are well, and resolved after that',
      [fails('web', 0), fails('api', 3), recovers('web'), recovers('api'), verified],
      { state: 'resolved', resolution: 'recovered', resolvedAt: at(6) },
      ['opened', 'verifying', 'resolved'],
    ],
    [
      'is not verified while one service fails',
      [fails('web', 0), fails('api', 3), recovers('web')],
      { state: 'open', verifyingSince: null },
      ['opened'],
    ],
    [
      'is fixed if a chain had reported a fix',
      [fails('web', 0), started, ends('fixed'), recovers('web'), verified],
      { state: 'resolved', resolution: 'fixed', fixChainId: 'chain' },
      ['opened', 'verifying', 'resolved'],
    ],
    [
      'goes back to open if a check fails during the verification, which whoever was notified of that learns',
      [fails('web', 0), recovers('web'), fails('web', 4)],
      { state: 'open', verifyingSince: null, lookDueAt: at(4) },
      ['opened', 'verifying', 'verification_failed'],
    ],
    [
      'goes back to acknowledged if it was',
      [fails('web', 0), ack, recovers('web'), fails('web', 5)],
      { state: 'acknowledged' },
      ['opened', 'acknowledged', 'verifying', 'verification_failed'],
    ],
    [
      'is not well while a service can’t be checked',
      [fails('web', 0), recovers('web'), unknown('web')],
      { state: 'open', verifyingSince: null },
      ['opened', 'verifying', 'verification_failed'],
    ],
    [
      'is verified again once it can be checked and is well',
      [fails('web', 0), recovers('web'), unknown('web'), recovers('web')],
      { state: 'verifying', verifyingSince: at(5) },
      ['opened', 'verifying', 'verification_failed', 'verifying'],
    ],
    [
      'is reopened by the same fault, with one notification',
      [fails('web', 0), recovers('web'), verified, fails('web', 6)],
      { state: 'open', reopenings: 1, resolvedAt: null, resolution: null, lookDueAt: at(5) },
      ['opened', 'verifying', 'resolved', 'reopened'],
    ],
    [
      'needs a human when the chain ends that way, once',
      [fails('web', 0), started, ends('needs_human'), ends('failed')],
      { state: 'open', needsHuman: { since: at(4), chainId: 'chain' }, lookDueAt: null },
      ['opened', 'needs_human'],
    ],
    [
      'needs a human if the checks still fail some time after a fix was reported',
      [fails('web', 0), started, ends('fixed'), { kind: 'needs_human' }],
      { needsHuman: { since: at(5), chainId: null }, humanDueAt: null },
      ['opened', 'needs_human'],
    ],
    [
      'gives the checks time to notice the fix',
      [fails('web', 0), started, ends('fixed')],
      { needsHuman: null, humanDueAt: at(7) },
      ['opened'],
    ],
    [
      'needs nobody once it is well',
      [fails('web', 0), started, ends('needs_human'), recovers('web')],
      { state: 'verifying', needsHuman: null },
      ['opened', 'needs_human', 'verifying'],
    ],
    [
      'doesn’t notify anyone that it needs a human while a person is working on it',
      [fails('web', 0), ack, started, ends('needs_human')],
      { state: 'acknowledged', needsHuman: { since: at(5), chainId: 'chain' } },
      ['opened', 'acknowledged'],
    ],
    [
      'is open again when the acknowledgement ends, with one reminder',
      [fails('web', 0), ack, ackEnds],
      { state: 'open', acknowledgement: null, needsHuman: { since: at(4), chainId: null } },
      ['opened', 'acknowledged', 'needs_human'],
    ],
    [
      'needs a human at once if the agent can’t look',
      [fails('web', 0), refused(false)],
      { needsHuman: { since: at(3), chainId: null }, lookDueAt: null },
      ['opened', 'needs_human'],
    ],
    [
      'is over when a person says so',
      [fails('web', 0), { kind: 'resolved', by: 'Ana', note: '' }],
      { state: 'resolved', resolution: 'manual', resolvedBy: 'Ana' },
      ['opened', 'resolved'],
    ],
    [
      'has the worst severity that it ever had',
      [fails('web', 0, 'degraded'), fails('web', 0, 'down'), fails('web', 0, 'degraded')],
      { severity: 'critical', lookDueAt: at(3) },
      ['opened'],
    ],
    [
      'of degraded services is a warning',
      [fails('web', 0, 'degraded')],
      { severity: 'warning' },
      ['opened'],
    ],
    [
      'ignores a chain that ends after it',
      [fails('web', 0), recovers('web'), verified, ends('needs_human')],
      { state: 'resolved', needsHuman: null },
      ['opened', 'verifying', 'resolved'],
    ],
  ])('%s', (_what, [first, ...others], state, notices) => {
    if (!first) throw new Error('An incident needs an event.');
    const played = play(first, ...others);
    expect(withFacts(played.incident)).toMatchObject(state);
    expect(played.notices).toEqual(notices);
  });
});

/** Plays events, and compares what follows from them. */
function expectAfter(
  events: readonly IncidentEvent[],
  state: Facts,
  notices: readonly IncidentNotice[],
): void {
  const [first, ...others] = events;
  if (!first) throw new Error('An incident needs an event.');
  const played = play(first, ...others);
  expect(withFacts(played.incident)).toMatchObject(state);
  expect(played.notices).toEqual(notices);
}

describe('[INC-2.1] a service that nothing checks anymore', () => {
  it.each<[string, IncidentEvent[], Facts, IncidentNotice[]]>([
    [
      'ends an incident without other services, and says so once',
      [fails('web', 0), removed('web'), removed('web')],
      { state: 'resolved', resolution: 'removed', resolvedAt: at(3) },
      ['opened', 'resolved'],
    ],
    [
      'ends one that was being verified, which proves nothing',
      [fails('web', 0), recovers('web'), removed('web')],
      { state: 'resolved', resolution: 'removed' },
      ['opened', 'verifying', 'resolved'],
    ],
    [
      'leaves the others, which have to be healthy',
      [fails('web', 0), fails('db', 2), removed('web'), recovers('db')],
      { state: 'verifying', verifyingSince: at(5) },
      ['opened', 'verifying'],
    ],
    [
      'leaves an incident to verify if the others are healthy, which no fix is the reason of',
      [fails('web', 0), fails('db', 2), started, ends('fixed'), recovers('db'), removed('web')],
      { state: 'verifying', verifyingSince: at(7), fixChainId: null },
      ['opened', 'verifying'],
    ],
    [
      'leaves one that others keep open',
      [fails('web', 0), fails('db', 2), removed('web')],
      { state: 'open' },
      ['opened'],
    ],
    [
      'says nothing while it isn’t part of the incident',
      [fails('web', 0), fails('db', 2), removed('web'), recovers('web'), unknown('web')],
      { state: 'open' },
      ['opened'],
    ],
    [
      'is part of the incident again once it fails',
      [fails('web', 0), fails('db', 2), removed('web'), fails('web', 6), recovers('db')],
      { state: 'open', lookDueAt: at(5) },
      ['opened'],
    ],
    [
      'doesn’t keep a reopened incident open',
      [
        fails('web', 0),
        fails('db', 2),
        resolves,
        removed('web'),
        recovers('db'),
        fails('db', 7),
        recovers('db'),
      ],
      { state: 'verifying', reopenings: 1 },
      ['opened', 'resolved', 'reopened', 'verifying'],
    ],
  ])('%s', (_what, events, state, notices) => expectAfter(events, state, notices));
});

describe('[INC-3.1] a fix that doesn’t last', () => {
  const once = [fails('web', 0), started, ends('fixed'), recovers('web'), fails('web', 6)];
  it.each<[string, IncidentEvent[], Facts, IncidentNotice[]]>([
    [
      'is looked at again',
      once,
      { state: 'open', needsHuman: null, lookDueAt: at(6), fixChainId: null },
      ['opened', 'verifying', 'verification_failed'],
    ],
    [
      'needs a human the second time, instead of another chain',
      [...once, started, ends('fixed'), recovers('web'), fails('web', 10)],
      { needsHuman: { since: at(10), chainId: null }, lookDueAt: null, humanDueAt: null },
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
      'needs the same human the third time',
      [...once, recovers('web'), fails('web', 8), recovers('web'), fails('web', 10)],
      { needsHuman: { since: at(10), chainId: null }, lookDueAt: null },
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
      'needs a human too if other services failed all the time',
      [
        fails('web', 0),
        fails('db', 0),
        recovers('web'),
        fails('web', 5),
        recovers('web'),
        fails('web', 7),
      ],
      { needsHuman: { since: at(7), chainId: null }, lookDueAt: null },
      ['opened', 'needs_human'],
    ],
    [
      'is one fix for several services',
      [
        fails('web', 0),
        fails('db', 0),
        started,
        recovers('web'),
        recovers('db'),
        fails('web', 7),
        fails('db', 7),
      ],
      { needsHuman: null, lookDueAt: at(8) },
      ['opened', 'verifying', 'verification_failed'],
    ],
    [
      'is counted from zero once the incident is reopened',
      [...once, recovers('web'), verified, fails('web', 9), recovers('web'), fails('web', 11)],
      { needsHuman: null, lookDueAt: at(11), reopenings: 1 },
      [
        'opened',
        'verifying',
        'verification_failed',
        'verifying',
        'resolved',
        'reopened',
        'verifying',
        'verification_failed',
      ],
    ],
  ])('%s', (_what, events, state, notices) => expectAfter(events, state, notices));
});

describe('[INC-3.1] a verification without proof', () => {
  const unproven = [{ serviceId: 'web', service: 'web', type: 'http' }];
  const overdue: IncidentEvent = { kind: 'needs_human', unproven };
  const once = [fails('web', 0), recovers('web'), overdue];
  it.each<[string, IncidentEvent[], Facts, IncidentNotice[]]>([
    [
      'needs a human, and no agent',
      once,
      { state: 'open', needsHuman: { since: at(4), chainId: null, unproven }, lookDueAt: null },
      ['opened', 'verifying', 'needs_human', 'verification_failed'],
    ],
    [
      'needs nobody but the person who is working on it',
      [fails('web', 0), ack, recovers('web'), overdue],
      { state: 'acknowledged', needsHuman: { since: at(5), chainId: null, unproven } },
      ['opened', 'acknowledged', 'verifying', 'verification_failed'],
    ],
    [
      'is made again once its checks pass',
      [...once, recovers('web')],
      { state: 'verifying', verifyingSince: at(5), needsHuman: null },
      ['opened', 'verifying', 'needs_human', 'verification_failed', 'verifying'],
    ],
    [
      'reopens the incident when a service fails after all',
      [...once, fails('db', 5)],
      { state: 'open', reopenings: 1, needsHuman: null, lookDueAt: at(5) },
      ['opened', 'verifying', 'needs_human', 'verification_failed', 'reopened'],
    ],
    [
      'lets no agent look when an acknowledgement ends',
      [...once, ack, ackEnds],
      { state: 'open', needsHuman: { since: at(4), chainId: null, unproven }, lookDueAt: null },
      [
        ...(['opened', 'verifying', 'needs_human', 'verification_failed'] as const),
        ...(['acknowledged', 'needs_human'] as const),
      ],
    ],
    [
      'ends when a person says that it is over',
      [...once, resolves],
      { state: 'resolved', resolution: 'manual', needsHuman: null },
      ['opened', 'verifying', 'needs_human', 'verification_failed', 'resolved'],
    ],
    [
      'needs nobody if something failed in the meantime',
      [fails('web', 0), recovers('web'), fails('web', 4), overdue],
      { state: 'open', needsHuman: null },
      ['opened', 'verifying', 'verification_failed'],
    ],
  ])('%s', (_what, events, state, notices) => expectAfter(events, state, notices));
});

describe('[HLD-3.4] a failure while a chain runs', () => {
  const covers = (outcome: string): IncidentEvent =>
    ({ ...ends(outcome), isCovered: true }) as IncidentEvent;
  const dueAt = new Date(at(5).getTime() + RECHECK_MS);
  it.each<[string, IncidentEvent, Facts]>([
    [
      'needs no second chain once the first one found it healthy',
      covers('fixed'),
      { lookDueAt: null, fixChainId: 'chain', humanDueAt: dueAt },
    ],
    [
      'needs none where nothing was fixed either, and people if checks go on failing',
      covers('findings'),
      { lookDueAt: null, fixChainId: null, humanDueAt: dueAt },
    ],
    ['needs one if the first one did not look at it', ends('fixed'), { lookDueAt: at(4) }],
    [
      'needs people if the first one does',
      covers('needs_human'),
      { needsHuman: expect.anything() },
    ],
  ])('%s', (_what, end, expected) => {
    const { incident } = play(fails('web', 0), started, fails('db', 4), end);
    expect(incident).toMatchObject({ state: 'open', ...expected });
  });
});

describe('[INC-2.1] what a chain finds', () => {
  const finds = (minute: number, needsHuman = false, serviceId = 'web'): IncidentEvent =>
    ({ ...fails(serviceId, minute), chainId: 'chain', needsHuman }) as IncidentEvent;
  const findsWell: IncidentEvent = { ...recovers('web'), chainId: 'chain' } as IncidentEvent;
  const quietEnd: IncidentEvent = { kind: 'alerts_quiet', isFinding: true };
  const endsUnchecked: IncidentEvent = { ...ends('findings'), recheckMs: null } as IncidentEvent;
  it.each<[string, IncidentEvent[], Facts, IncidentNotice[]]>([
    [
      'opens an incident, and starts no chain',
      [finds(0)],
      { state: 'open', startedAt: at(0), lookDueAt: null, needsHuman: null },
      ['opened'],
    ],
    [
      'needs a human at once if the chain does',
      [finds(0, true), ends('needs_human')],
      { needsHuman: { since: at(2), chainId: 'chain' }, lookDueAt: null },
      ['opened', 'needs_human'],
    ],
    [
      'gives nobody a deadline that no check can meet',
      [finds(0), endsUnchecked],
      { needsHuman: null, humanDueAt: null },
      ['opened'],
    ],
    [
      'ends as reported, whatever fix was reported',
      [finds(0), { ...ends('fixed'), recheckMs: null } as IncidentEvent, findsWell, quietEnd],
      { state: 'resolved', resolution: 'reported', fixChainId: null },
      ['opened', 'verifying', 'resolved'],
    ],
    [
      'ends a verification, in one step with the need',
      [finds(0), findsWell, finds(4, true)],
      { state: 'open', needsHuman: { since: at(4), chainId: 'chain' }, lookDueAt: null },
      ['opened', 'verifying', 'needs_human', 'verification_failed'],
    ],
    [
      'reopens an incident without a look',
      [finds(0), findsWell, quietEnd, finds(5, true)],
      { state: 'open', reopenings: 1, lookDueAt: null },
      ['opened', 'verifying', 'resolved', 'reopened', 'needs_human'],
    ],
    [
      'leaves a look due that checks made due',
      [fails('db', 0), finds(3)],
      { lookDueAt: at(2) },
      ['opened'],
    ],
  ])('%s', (_what, events, state, notices) => expectAfter(events, state, notices));
});

describe('[INC-2.1] news about a failure', () => {
  it.each<[string, IncidentEvent[], Facts]>([
    [
      'isn’t that it could not be checked for a time',
      [fails('web', 0), started, ends('fixed'), unknown('web'), fails('web', 0)],
      { lookDueAt: null, humanDueAt: at(7) },
    ],
    [
      'is that it fails after it was healthy, whatever was between',
      [fails('web', 0), started, recovers('web'), unknown('web'), fails('web', 6)],
      { lookDueAt: at(6) },
    ],
    [
      'is that it is worse, which gives people no more time',
      [fails('web', 0, 'degraded'), started, ends('findings'), fails('web', 0)],
      { lookDueAt: at(5), humanDueAt: at(7) },
    ],
    [
      'is another service',
      [fails('web', 0), started, ends('findings'), fails('db', 5)],
      { lookDueAt: at(5), humanDueAt: null },
    ],
    [
      'that failed before, which is when the incident began',
      [fails('web', 1), fails('db', 0)],
      { startedAt: at(0) },
    ],
  ])('%s', (_what, events, state) => expectAfter(events, state, expect.anything() as never));
});

describe('[INC-2.1] a manual resolution', () => {
  it.each<[string, IncidentEvent[], Facts, IncidentNotice[]]>([
    [
      'mutes the failure that lasts',
      [fails('web', 0), resolves, unknown('web'), fails('web', 0)],
      { state: 'resolved', reopenings: 0, resolution: 'manual' },
      ['opened', 'resolved'],
    ],
    [
      'mutes nothing worse',
      [fails('web', 0, 'degraded'), resolves, fails('web', 0, 'down')],
      { state: 'open', severity: 'critical', reopenings: 1 },
      ['opened', 'resolved', 'reopened'],
    ],
    [
      'mutes no failure after a recovery',
      [fails('web', 0), resolves, recovers('web'), fails('web', 5)],
      { state: 'open', reopenings: 1 },
      ['opened', 'resolved', 'reopened'],
    ],
  ])('%s', (_what, events, state, notices) => expectAfter(events, state, notices));
});

describe('[INC-3.1] the credit for a recovery', () => {
  it.each<[string, IncidentEvent[], string | null]>([
    [
      'goes to the chain before it',
      [fails('web', 0), started, ends('fixed'), recovers('web')],
      'chain',
    ],
    [
      'goes to a chain that was still at work',
      [fails('web', 0), started, recovers('web'), ends('fixed', 3)],
      'chain',
    ],
    [
      'doesn’t go to a chain that started after it',
      [fails('web', 0), recovers('web'), ends('fixed', 4)],
      null,
    ],
    [
      'doesn’t go to a chain whose fix the checks could have noticed before',
      [
        fails('web', 0),
        ends('fixed'),
        unknown('web'),
        unknown('web'),
        unknown('web'),
        recovers('web'),
      ],
      null,
    ],
    [
      'doesn’t go to a chain after which people were needed',
      [fails('web', 0), ends('fixed'), { kind: 'needs_human' }, recovers('web')],
      null,
    ],
    [
      'doesn’t go to a chain whose fix didn’t last',
      [fails('web', 0), ends('fixed'), recovers('web'), fails('web', 5), recovers('web')],
      null,
    ],
    [
      'doesn’t go to the chain before one that found nothing to do',
      [fails('web', 0), ends('fixed'), started, ends('healthy'), recovers('web')],
      null,
    ],
  ])('%s', (_what, [first, ...others], chainId) => {
    if (!first) throw new Error('An incident needs an event.');
    expect(play(first, ...others).incident).toMatchObject({
      state: 'verifying',
      fixChainId: chainId,
    });
  });
});

describe('[INC-2.1] an acknowledged incident', () => {
  it.each<[string, IncidentEvent[], Facts, string[]]>([
    ['keeps the agent away', [fails('web', 0), ack], { lookDueAt: null }, ['web']],
    [
      'keeps it away from a service that joins',
      [fails('web', 0), ack, fails('db', 3)],
      { lookDueAt: null },
      ['web', 'db'],
    ],
    [
      'keeps it away from one that fails again',
      [fails('web', 0), ack, recovers('web'), fails('web', 5)],
      { state: 'acknowledged', lookDueAt: null },
      ['web'],
    ],
    [
      'lets it look once a person gives it back',
      [fails('web', 0), ack, { ...ackEnds, by: 'Ana' } as IncidentEvent],
      { state: 'open', lookDueAt: at(4) },
      [],
    ],
    [
      'waits for a human as before once a person gives that back',
      [fails('web', 0), refused(false), ack, { ...ackEnds, by: 'Ana' } as IncidentEvent],
      { state: 'open', needsHuman: { since: at(3), chainId: null }, lookDueAt: null },
      [],
    ],
    [
      'lets it look at what failed meanwhile once a person gives it back',
      [
        ...[fails('web', 0), refused(false), ack, fails('db', 5)],
        { ...ackEnds, by: 'Ana' } as IncidentEvent,
      ],
      { state: 'open', lookDueAt: at(6) },
      [],
    ],
    [
      'holds no service that left',
      [fails('web', 0), fails('db', 0), ack, removed('db')],
      {},
      ['web'],
    ],
    ['holds nothing once it is resolved', [fails('web', 0), ack, resolves], {}, []],
    ['holds nothing before', [fails('web', 0)], {}, []],
  ])('%s', (_what, [first, ...others], state, held) => {
    if (!first) throw new Error('An incident needs an event.');
    const { incident } = play(first, ...others);
    expect(withFacts(incident)).toMatchObject(state);
    expect(heldServices(incident)).toEqual(held);
  });
});

it('[INC-2.2] a look that waits for a pause to end stays due, and people are needed once', () => {
  expectAfter(
    [fails('web', 0), refused(true), refused(true)],
    { lookDueAt: at(2), needsHuman: { since: at(3), chainId: null } },
    ['opened', 'needs_human'],
  );
});
