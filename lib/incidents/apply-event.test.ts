import { describe, expect, it } from 'vitest';
import { applyEvent, openIncident } from './apply-event';
import type { Incident, IncidentEvent, IncidentNotice } from './incident';

const at = (minute: number) => new Date(Date.UTC(2026, 10, 26, 3, minute));
const RULES = { recheckMs: 3 * 60_000 };

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
const ends = (outcome: string): IncidentEvent => {
  return { kind: 'chain_ended', chainId: 'chain', outcome, text: '' };
};
const started: IncidentEvent = { kind: 'chain_started', chainId: 'chain' };
const ack: IncidentEvent = { kind: 'acknowledged', by: 'Ana', endsAt: null, note: '' };
const verified: IncidentEvent = { kind: 'verified' };
const ackEnds: IncidentEvent = { kind: 'acknowledgement_ended', by: null };

/** What follows from events, one a minute: the first opens the incident at minute 2. */
function play(first: IncidentEvent, ...others: IncidentEvent[]) {
  if (first.kind !== 'service_failing') throw new Error('Only a failure opens an incident.');
  let { incident, notices } = openIncident('check', first, at(2));
  const all: IncidentNotice[] = [...notices];
  for (const [index, event] of others.entries()) {
    ({ incident, notices } = applyEvent(incident, event, at(3 + index), RULES));
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

  it.each<[string, IncidentEvent[], Partial<Incident>, IncidentNotice[]]>([
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
      'goes back to open if a check fails during the verification, and tells nobody',
      [fails('web', 0), recovers('web'), fails('web', 4)],
      { state: 'open', verifyingSince: null, lookDueAt: at(4) },
      ['opened', 'verifying'],
    ],
    [
      'goes back to acknowledged if it was',
      [fails('web', 0), ack, recovers('web'), fails('web', 5)],
      { state: 'acknowledged' },
      ['opened', 'acknowledged', 'verifying'],
    ],
    [
      'is not well while a service can’t be checked',
      [fails('web', 0), recovers('web'), unknown('web')],
      { state: 'open', verifyingSince: null },
      ['opened', 'verifying'],
    ],
    [
      'is verified again once it can be checked and is well',
      [fails('web', 0), recovers('web'), unknown('web'), recovers('web')],
      { state: 'verifying', verifyingSince: at(5) },
      ['opened', 'verifying', 'verifying'],
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
      [fails('web', 0), { kind: 'look_refused', text: 'Checkout is paused.' }],
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
    expect(played.incident).toMatchObject(state);
    expect(played.notices).toEqual(notices);
  });
});
