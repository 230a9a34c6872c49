import { describe, expect, it } from 'vitest';
import { type Facts, incidentIn, withFacts } from '@/tests/support/incidents';
import {
  type AffectedService,
  type Incident,
  type IncidentSignals,
  joiningIncidentSchema,
} from '../incident';
import type { IncidentNotice } from '../states';
import { applyEvent, type IncidentEvent, parseEvent } from './registry';

const at = (minute: number) => new Date(Date.UTC(2026, 10, 26, 3, minute));
const NOW = at(30);

function service(serviceId: string, changes: Partial<AffectedService> = {}): AffectedService {
  return {
    ...{ serviceId, name: serviceId, status: 'down', worst: 'down', failingSince: at(5) },
    ...{ recoveredAt: null, error: '', wasFailing: true, relapses: 0, removedAt: null },
    ...changes,
  };
}
const well = (serviceId: string) =>
  service(serviceId, { status: 'healthy', recoveredAt: at(20), wasFailing: false });

type Changes = Facts & { state?: Incident['state'] };

/** Opened at minute 10; nothing is due. */
function incident({ state = 'open', ...changes }: Changes = {}): Incident {
  const opened = { startedAt: at(9), openedAt: at(10), services: [service('web')] };
  return incidentIn(state, { severity: 'warning', ...opened, ...changes } as Partial<Incident>);
}
/** Opened a little later, about another service. */
const other = (changes: Changes = {}) =>
  incident({ startedAt: at(12), openedAt: at(13), services: [service('db')], ...changes });

const signals = (changes: Partial<IncidentSignals> = {}): IncidentSignals => ({
  ...{ title: 'High latency', services: [], sources: ['Prometheus'], returns: 0 },
  firing: { serviceIds: [], hasOther: true },
  ...changes,
});
const PING = { serviceId: 'web', service: 'web', type: 'http' };
const ana = { at: at(15), by: 'Ana', endsAt: null };
const ben = (endsAt: number | null) => {
  return { at: at(16), by: 'Ben', endsAt: endsAt === null ? null : at(endsAt) };
};
const need = (minute: number, unproven: (typeof PING)[] | null = null) => {
  return { since: at(minute), chainId: null, unproven };
};
const verifying = (since: number): Changes => {
  return { state: 'verifying', verifyingSince: at(since) };
};

/** Merges one into the other; as it is read back, with times as text. */
function merge(from: Incident, into: Incident, isNeedKnown = true, isChainAtWork = false) {
  const event: IncidentEvent = {
    ...{
      kind: 'joined',
      by: 'Ana',
      note: '',
      isNeedKnown,
      isChainAtWork,
      joining: joiningIncidentSchema.parse(from),
    },
    from: { incidentId: 'source', number: 2 },
  };
  return applyEvent(into, parseEvent(JSON.parse(JSON.stringify(event))), NOW);
}

describe('[INC-2.1] an incident that another one was merged into', () => {
  it.each<[string, Changes, Changes, Facts, IncidentNotice[]]>([
    ['begins with the earlier first failure', {}, { startedAt: at(3) }, { startedAt: at(3) }, []],
    ['keeps its own start if that is earlier', {}, {}, { startedAt: at(9), openedAt: at(10) }, []],
    [
      'is critical if either is',
      { severity: 'warning' },
      { severity: 'critical' },
      { severity: 'critical' },
      [],
    ],
    [
      'needs a human since either did, which people know already',
      { needsHuman: need(22) },
      { needsHuman: need(20) },
      { needsHuman: need(20), humanDueAt: null },
      [],
    ],
    ['needs a human if the other one did', {}, { needsHuman: need(20) }, { state: 'open' }, []],
    ['is looked at when either was to be', {}, { lookDueAt: at(29) }, { lookDueAt: at(29) }, []],
    [
      'leaves the fix of either its time',
      { humanDueAt: at(31), fixChainId: 'fix' },
      {},
      { humanDueAt: at(31), fixChainId: 'fix' },
      [],
    ],
    [
      'leaves both fixes their time',
      { humanDueAt: at(31), fixChainId: 'fix' },
      { humanDueAt: at(33), fixChainId: 'other' },
      { humanDueAt: at(33), fixChainId: 'fix' },
      [],
    ],
    [
      'takes over an acknowledgement, and no agent starts',
      { lookDueAt: at(29) },
      { state: 'acknowledged', acknowledgement: ana },
      { state: 'acknowledged', acknowledgement: ana, lookDueAt: null },
      ['acknowledged'],
    ],
    [
      'keeps its acknowledgement',
      { state: 'acknowledged', acknowledgement: ana },
      { lookDueAt: at(29) },
      { state: 'acknowledged', acknowledgement: ana, lookDueAt: null },
      [],
    ],
    [
      'keeps its own acknowledgement if that lasts longer',
      { state: 'acknowledged', acknowledgement: ana },
      { state: 'acknowledged', acknowledgement: ben(60) },
      { acknowledgement: ana },
      [],
    ],
    [
      'keeps the acknowledgement that lasts longer',
      { state: 'acknowledged', acknowledgement: { ...ana, endsAt: at(40) } },
      { state: 'acknowledged', acknowledgement: ben(60) },
      { acknowledgement: ben(60) },
      [],
    ],
    [
      'fails if the other one fails',
      { ...verifying(20), services: [well('web')], fixChainId: 'fix' },
      { lookDueAt: at(29) },
      { state: 'open', verifyingSince: null, fixChainId: null, lookDueAt: at(29) },
      ['verification_failed'],
    ],
    [
      'fails although the other one is verified',
      { humanDueAt: at(31) },
      { ...verifying(20), services: [well('db')], fixChainId: 'fix' },
      { state: 'open', verifyingSince: null, fixChainId: null, humanDueAt: at(31) },
      [],
    ],
    [
      'is verified from the later recovery on if both are',
      { ...verifying(20), services: [well('web')] },
      { ...verifying(24), services: [well('db')], fixChainId: 'fix' },
      { state: 'verifying', verifyingSince: at(24), fixChainId: 'fix' },
      [],
    ],
    [
      'is verified once the checks of the other one answer for its alert',
      {
        services: [],
        alerts: signals({ firing: { serviceIds: ['db'], hasOther: false } }),
      },
      { ...verifying(20), services: [well('db')] },
      { state: 'verifying', verifyingSince: NOW, needsHuman: null },
      ['verifying'],
    ],
    [
      'waits for proofs if nothing else is missing in either',
      { services: [well('web')], needsHuman: need(20, [PING]) },
      { ...verifying(24), services: [well('db')] },
      { state: 'open', needsHuman: need(20, [PING]) },
      [],
    ],
    [
      'fails if the other one only waited for proofs',
      {},
      { services: [well('db')], needsHuman: need(20, [PING]) },
      { state: 'open', needsHuman: need(20) },
      [],
    ],
    [
      'is held open by an alert of the other one',
      { ...verifying(20), services: [well('web')] },
      { services: [], alerts: signals() },
      { state: 'open', verifyingSince: null, alerts: signals() },
      ['verification_failed'],
    ],
  ])('%s', (_, own, from, expected, notices) => {
    const merged = merge(other(from), incident(own));
    expect(withFacts(merged.incident)).toMatchObject(expected);
    expect(merged.notices).toEqual(notices);
  });

  it('waits for the running chain of either', () => {
    const fixed = incident({ humanDueAt: at(31), fixChainId: 'fix' });
    expect(merge(other(), fixed, true, true).incident).toMatchObject({
      ...{ humanDueAt: null, fixChainId: 'fix' },
    });
  });

  it('notifies of a human who is needed if nobody was notified of that before', () => {
    const from = other({ needsHuman: need(20) });
    expect(merge(from, incident(), false).notices).toEqual(['needs_human']);
    const known = incident({ needsHuman: need(25) });
    expect(merge(from, known, false).notices).toEqual([]);
    const taken = incident({ state: 'acknowledged', acknowledgement: ana });
    expect(merge(from, taken, false).notices).toEqual([]);
  });

  it('has the services of both, with their own times', () => {
    const both = [
      service('web', { failingSince: at(3), worst: 'degraded', relapses: 1 }),
      service('db', { failingSince: at(11) }),
      service('old', { removedAt: at(14) }),
    ];
    const own = [service('web', { failingSince: at(5), worst: 'down' }), service('old')];
    const { services } = merge(other({ services: both }), incident({ services: own })).incident;
    expect(services).toEqual([
      service('web', { failingSince: at(3), relapses: 1 }),
      service('old'),
      service('db', { failingSince: at(11) }),
    ]);
  });

  it('has the alerts of both, each once', () => {
    const web = { serviceId: 'web', name: 'web' };
    const own = signals({ services: [web], firing: { serviceIds: ['web'], hasOther: false } });
    const from = signals({
      ...{ title: 'Disk full', services: [web], sources: ['Grafana'], returns: 1 },
    });
    expect(merge(other({ alerts: from }), incident({ alerts: own })).incident.alerts).toEqual({
      ...{ title: 'High latency', services: [web], sources: ['Prometheus', 'Grafana'] },
      ...{ firing: { serviceIds: ['web'], hasOther: true }, returns: 1 },
    });
  });

  it('takes in what fails later at a service of the other one', () => {
    const { incident: after } = merge(other(), incident());
    const recovered = applyEvent(after, { kind: 'service_recovered', serviceId: 'db' }, at(31));
    expect(recovered.incident).toMatchObject({ state: 'open' });
    const last = applyEvent(
      recovered.incident,
      { kind: 'service_recovered', serviceId: 'web' },
      at(32),
    );
    expect(last).toMatchObject({ incident: { state: 'verifying' }, notices: ['verifying'] });
  });
});

it('[INC-2.1] an incident that is merged ends without a proof, and nothing is due in it', () => {
  const before = incident({
    ...{ needsHuman: need(20, [PING]), fixChainId: 'fix', lookDueAt: at(29), humanDueAt: at(31) },
    alerts: signals(),
  });
  const into = { incidentId: 'target', number: 1 };
  const { incident: after, notices } = applyEvent(
    before,
    { kind: 'merged', by: 'Ana', note: '', into },
    NOW,
  );
  expect(withFacts(after)).toMatchObject({
    ...{ state: 'resolved', resolution: 'merged', resolvedAt: NOW, resolvedBy: 'Ana' },
    ...{ mergedIntoId: 'target', fixChainId: null, needsHuman: null },
    ...{ lookDueAt: null, humanDueAt: null },
    services: [{ removedAt: NOW, status: 'down' }],
    alerts: { firing: { serviceIds: [], hasOther: false } },
  });
  expect(notices).toEqual(['merged']);
});

it('[INC-2.1] a merge is read as earlier versions stored it', () => {
  const { silence: _, ...stored } = withFacts(incident({ lookDueAt: at(29) }));
  const need = { since: at(20).toISOString(), chainId: null };
  const open = { ...stored, services: [], needsHuman: need, unproven: [PING] };
  const read = (changes: object) =>
    joiningIncidentSchema.parse(JSON.parse(JSON.stringify({ ...open, ...changes })));
  const joining = { severity: 'warning', startedAt: at(9), services: [], alerts: null };
  const failing = { ...joining, fixChainId: null, humanDueAt: null };
  const needsHuman = { since: at(20), chainId: null, unproven: [PING] };
  expect(read({})).toEqual({ ...failing, state: 'open', needsHuman, lookDueAt: at(29) });
  expect(read({ unproven: undefined })).toMatchObject({ needsHuman: { unproven: null } });
  // What its state can't have was left from an earlier one.
  const acknowledged = { state: 'acknowledged', acknowledgement: ana, needsHuman: null };
  expect(read({ ...acknowledged, unproven: null })).toEqual({ ...failing, ...acknowledged });
});
