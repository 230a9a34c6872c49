import { expect, it } from 'vitest';
import { expectClosed, gateOf, LATER, NOW } from '@/tests/support/closed-gates';
import type { StartFacts } from './facts';
import { type GateCode, refusalText } from './gate';
import { quietServices } from './request-gates';

it.each<[GateCode, string]>([
  ['SNOOZED', 'web is snoozed'],
  ['ACKNOWLEDGED', 'Ana has acknowledged web since Chain #12'],
  ['PAUSED', 'Checkout is paused by Ana'],
])('[ENG-1.3] %s: %s', expectClosed);

it.each<[string, Partial<StartFacts>]>([
  ['a snooze that is over', { snoozes: [{ service: 'web', until: NOW }] }],
  [
    'a snooze of another service',
    { services: ['web', 'api'], snoozes: [{ service: 'web', until: LATER }] },
  ],
  ['a pause of another tier', { pauses: [{ scope: 'tier', tier: 3, by: 'Ana', since: NOW }] }],
])('is not held by %s', (_what, facts) => {
  expect(gateOf(facts)).toBeNull();
});

it.each<[StartFacts['pauses'][number], string]>([
  [
    { scope: 'organization', name: 'Acme', by: 'Ana', since: NOW },
    'Acme is paused by Ana. Resume it first.',
  ],
  [
    { scope: 'tier', tier: 2, by: 'Ana', since: NOW },
    'Tier 2 of Checkout is paused by Ana. Resume it first.',
  ],
])('names what is paused: %j', (pause, text) => {
  const gate = gateOf({ pauses: [pause] });
  expect(gate && refusalText(gate)).toBe(text);
});

it('names the services that are snoozed now or acknowledged', () => {
  const snoozes = [
    { service: 'web', until: LATER },
    { service: 'db', until: NOW },
  ];
  const acknowledgements = [{ service: 'api', by: 'Ana', chainNumber: 12, incidentNumber: null }];
  expect(quietServices({ snoozes, acknowledgements }, NOW)).toEqual(['web', 'api']);
});

it('[INC-2.1] names the incident in which a service was acknowledged', () => {
  const acknowledgements = [{ service: 'web', by: 'Ana', chainNumber: null, incidentNumber: 3 }];
  expect(gateOf({ services: ['web'], acknowledgements })?.because).toBe(
    'Ana has acknowledged web in Incident #3',
  );
});
