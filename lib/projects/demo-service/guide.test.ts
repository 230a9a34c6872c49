import { expect, it } from 'vitest';
import { type DemoGuideFacts, demoGuideOf } from './guide';
import type { DemoStatus } from './schema';

const up = { isUp: true, pid: 1, detail: 'running' };
const down = (detail: string): DemoStatus => [
  { name: 'web', isUp: false, pid: null, detail },
  { name: 'api', ...up },
];
const ALL_UP: DemoStatus = [
  { name: 'web', ...up },
  { name: 'api', ...up },
];
const CRASHED = down('ended by SIGKILL');
const MISCONFIGURED = down('ended with exit code 78: configuration error in web.conf.json');
const chain = (outcome: string | null): DemoGuideFacts['lastChain'] => {
  return { number: 5, outcome, highestTier: 2, costMicros: 40_000, durationMs: 14_000 };
};

it.each([
  ['everything is up before the first chain', ALL_UP, null, { kind: 'break_it' }],
  ['everything is up and was', ALL_UP, chain('healthy'), { kind: 'break_it' }],
  ['a service crashed', CRASHED, null, { kind: 'run_now', service: 'web', needsRepair: false }],
  ['again after a repair', CRASHED, chain('fixed'), { kind: 'run_now', service: 'web' }],
  ['its configuration is broken', MISCONFIGURED, null, { kind: 'run_now', needsRepair: true }],
  ['a chain runs', CRASHED, chain(null), { kind: 'watch', number: 5 }],
  [
    'a chain repaired it',
    ALL_UP,
    chain('fixed'),
    { kind: 'repaired', number: 5, tier: 2, costMicros: 40_000, durationMs: 14_000 },
  ],
  ['the chain left it down', CRASHED, chain('needs_human'), { kind: 'run_now' }],
  ['the demo service is gone', null, chain('healthy'), { kind: 'not_running' }],
])('[PAG-3.3] the next step when %s', (_, status, lastChain, guide) => {
  expect(demoGuideOf({ isMonitored: false, status, lastChain })).toMatchObject(guide);
});

it.each([true, false])('[INC-1.2] says whether a chain starts automatically: %s', (isMonitored) => {
  const startsAutomatically = isMonitored;
  expect(demoGuideOf({ isMonitored, status: CRASHED, lastChain: null })).toMatchObject({
    ...{ kind: 'run_now', startsAutomatically },
  });
  expect(demoGuideOf({ isMonitored, status: ALL_UP, lastChain: null })).toMatchObject({
    ...{ kind: 'break_it', startsAutomatically },
  });
});
