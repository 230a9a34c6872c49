import { expect, it } from 'vitest';
import type { IncidentFacts, ReportedFix } from './facts';
import { judgeFix } from './judge-fixes';

const at = (clock: string, day = 25) => new Date(`2026-11-${day}T${clock}:00Z`);
const NOW = at('12:00', 28);

const INCIDENT: IncidentFacts = {
  ...{ id: 'one', state: 'resolved', resolution: 'fixed', startedAt: at('03:00') },
  ...{ openedAt: at('03:02'), verifyingSince: at('03:06'), resolvedAt: at('03:16') },
  ...{ isWellByRemoval: false, fixChainId: 'a', acknowledgedAt: null, endedAt: at('03:06') },
  services: [{ serviceId: 'web', name: 'web' }],
  ...{ backServiceIds: [], isBack: false, fixes: [], chainIds: ['a'] },
};

const VERIFIED: ReportedFix = {
  ...{ incidentId: 'one', chainId: 'a', settledBy: 'verified', settledAt: at('03:16') },
  ...{ recoveredAt: at('03:06'), isBack: false },
};
const BY_NOTHING = { settledBy: null, settledAt: null, recoveredAt: null };

// What settles a fix is read by SQL: tests/integration/incidents/figures.test.ts.
it.each<[string, Partial<IncidentFacts>, Partial<ReportedFix>, string]>([
  ['verified', {}, {}, 'proven'],
  ['not settled, not over', { state: 'verifying', resolvedAt: null }, BY_NOTHING, 'pending'],
  ['not settled, over', { resolution: 'removed' }, BY_NOTHING, 'unproven'],
  ['a person resolved it', { resolution: 'manual' }, { settledBy: 'resolved' }, 'unproven'],
  ['only reported', { resolution: 'reported' }, { settledBy: 'alerts_quiet' }, 'unproven'],
  ['merged', { resolution: 'merged' }, { settledBy: 'merged' }, 'unproven'],
  ['an event that isn’t known', {}, { settledBy: 'unheard_of' }, 'unproven'],
  ['a failure', { state: 'open' }, { settledBy: 'service_failing' }, 'failed'],
  ['an alert', { state: 'open' }, { settledBy: 'alert_firing' }, 'failed'],
  ['another chain', { state: 'open' }, { settledBy: 'chain_started' }, 'failed'],
  ['a person is needed', { state: 'open' }, { settledBy: 'needs_human' }, 'failed'],
  ['verified, and it came back', {}, { isBack: true }, 'recurred'],
  ['the incident credits another cause', { fixChainId: null }, {}, 'unproven'],
  ['an unknown resolution', { resolution: 'unheard-of' }, {}, 'unproven'],
  [
    'reopened more than a day later',
    { state: 'open', resolution: null, resolvedAt: null, fixChainId: null },
    {},
    'proven',
  ],
])('[INC-3.2] a reported fix with this end: %s', (_, incident, fix, verdict) => {
  expect(judgeFix({ ...INCIDENT, ...incident }, { ...VERIFIED, ...fix }, NOW)).toEqual({
    ...{ chainId: 'a', verdict, isProvisional: false },
  });
});

it('[INC-3.2] says whether the day is over in which the fault may come back', () => {
  expect(judgeFix(INCIDENT, VERIFIED, at('12:00'))).toMatchObject({ isProvisional: true });
  expect(judgeFix(INCIDENT, VERIFIED, at('03:07', 26))).toMatchObject({ isProvisional: false });
  expect(judgeFix(INCIDENT, { ...VERIFIED, isBack: true }, at('12:00'))).toMatchObject({
    ...{ verdict: 'recurred', isProvisional: false },
  });
});
