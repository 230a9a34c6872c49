import { describe, expect, it } from 'vitest';
import { type Change, checkGuard, TIER_REQUEST } from '@/tests/support/resume-facts';
import type { ResumeRequest, StartPurpose } from '../schema';
import { PREDECESSOR_GUARDS, STANDING_GUARDS } from './standing';

const check = (id: string, change?: Change, now?: Date) =>
  checkGuard([...STANDING_GUARDS, ...PREDECESSOR_GUARDS], id, change, now);
const threshold = (share: number): Change => ({
  policy: { threshold: { share, source: 'project' } },
});
const TURN = {
  purpose: 'follow_up',
  agent: 'Sonnet',
  historyEpoch: 4,
  chainId: null,
  carrier: 'transcript',
} satisfies Partial<ResumeRequest>;
const NO_DATE = new Date(Number.NaN);

describe('[CNV-1.2] G0 refuses facts that are incomplete or malformed', () => {
  it.each<[string, unknown, Change]>([
    ['purpose', 'an unknown one', { request: { purpose: 'again' as StartPurpose } }],
    ['newCliSessionId', 'no UUID', { request: { newCliSessionId: 'x' } }],
    ['attemptNumber', 0, { request: { attemptNumber: 0 } }],
    ['attemptNumber', 1.5, { request: { attemptNumber: 1.5 } }],
    ['attemptNumber', Number.NaN, { request: { attemptNumber: Number.NaN } }],
    ['waitLeftMs', -1, { request: { waitLeftMs: -1 } }],
    ['waitLeftMs', Infinity, { request: { waitLeftMs: Infinity } }],
    ['source', 'none of an escalation', { request: { source: null } }],
    ['source', 'none of a reconcile', { request: { purpose: 'reconcile', source: null } }],
    ['source', 'none of a continuation', { request: { purpose: 'continue', source: null } }],
    ['source', 'the start of a chain', { request: { purpose: 'cycle' } }],
    ['agent', "one of a tier's start", { request: { agent: 'Sonnet' } }],
    ['historyEpoch', "one of a tier's start", { request: { historyEpoch: 0 } }],
    ['chainId', "none of a tier's start", { request: { chainId: null } }],
    ['agent', 'none of a turn', { request: { ...TURN, agent: null } }],
    ['historyEpoch', 'none of a turn', { request: { ...TURN, historyEpoch: null } }],
    ['carrier', 'a handoff for a turn', { request: { ...TURN, carrier: 'handoff' } }],
    ['threshold', 0, threshold(0)],
    ['threshold', -0.1, threshold(-0.1)],
    ['threshold', 1.01, threshold(1.01)],
    ['threshold', Number.NaN, threshold(Number.NaN)],
    ['smallestWindow', 0, { policy: { smallestWindow: 0 } }],
    ['smallestWindow', -1, { policy: { smallestWindow: -1 } }],
    ['smallestWindow', Infinity, { policy: { smallestWindow: Infinity } }],
    ['contextWindow', 0, { runtime: { contextWindow: 0 } }],
    ['contextWindow', -1, { runtime: { contextWindow: -1 } }],
    ['contextWindow', Number.NaN, { runtime: { contextWindow: Number.NaN } }],
    ['pointer.cliSessionId', 'no UUID', { pointer: { cliSessionId: '../etc' } }],
    [
      'pointer.cliSessionId',
      'the one of this start',
      { pointer: { cliSessionId: TIER_REQUEST.newCliSessionId } },
    ],
    ['pointer.contextTokens', -1, { pointer: { contextTokens: -1 } }],
    ['pointer.contextTokens', Infinity, { pointer: { contextTokens: Infinity } }],
    ['pointer.counters', '-1 failures', { pointer: { failures: -1 } }],
    ['pointer.counters', 'a depth of NaN', { pointer: { depth: Number.NaN } }],
    ['pointer.createdAt', 'no date', { pointer: { createdAt: NO_DATE } }],
  ])('%s: %s', (problem, _, change) => {
    expect(check('G0', change)).toMatchObject({
      compared: { problem },
      stop: { to: 'refuse', reason: 'INPUT_INVALID' },
    });
  });

  it('now: no date', () => {
    expect(check('G0', {}, NO_DATE).compared).toEqual({ problem: 'now' });
  });

  it.each<[string, Change]>([
    ['the smallest that counts', { request: { attemptNumber: 1, waitLeftMs: 0 } }],
    ['a threshold of 1', threshold(1)],
    ['windows of one token', { policy: { smallestWindow: 1 }, runtime: { contextWindow: 1 } }],
    ['an unknown window', { runtime: { contextWindow: null } }],
    ['an empty conversation', { pointer: { contextTokens: 0, failures: 0, depth: 0 } }],
    ['a conversation without an id', { pointer: { cliSessionId: null, contextTokens: null } }],
    ['no conversation', { pointer: null }],
    ['a turn about no chain', { request: TURN }],
    ['a first turn', { request: { ...TURN, source: null } }],
    ['a turn that continues itself', { request: { ...TURN, purpose: 'continue' } }],
    ['a retry without a predecessor', { request: { purpose: 'retry', source: null } }],
  ])('but not %s', (_, change) => {
    expect(check('G0', change)).toMatchObject({ compared: { problem: null }, stop: null });
  });
});

describe('G1 keeps conversations inside their organization and project', () => {
  it.each<[string | null, Change]>([
    ['TENANT_MISMATCH', { pointer: { organizationId: 'organization-b' } }],
    ['PROJECT_MISMATCH', { pointer: { projectId: 'project-b' } }],
    [null, {}],
    [null, { pointer: null }],
  ])('%s', (reason, change) => {
    const { stop } = check('G1', change);
    expect(stop).toEqual(reason && { to: 'refuse', reason });
  });
});

it('G2 shows whether a start was denied', () => {
  expect(check('G2').compared).toEqual({ denied: false, attemptNumber: 1, maxAttempts: 4 });
  const change = { request: { deniedBecause: 'the organization is suspended' } };
  expect(check('G2', change)).toMatchObject({
    compared: { denied: true },
    stop: { to: 'refuse', reason: 'POLICY_DENIED' },
  });
});

describe('[ENG-2.7] G23 shows the versions that were denied', () => {
  const denied = (installation: string[], organization: string[]): Change => ({
    policy: { deniedCliVersions: { installation, organization } },
  });

  it.each<[Change, string, string]>([
    [denied([], []), 'none', 'none'],
    [denied(['2.0.1', '2.0.2'], []), '2.0.1, 2.0.2', 'none'],
    [denied([], ['2.0.1', '2.0.2']), 'none', '2.0.1, 2.0.2'],
  ])('%j', (change, deniedByInstallation, deniedByOrganization) => {
    expect(check('G23', change)).toEqual({
      compared: { cliVersion: '2.1.197', deniedByInstallation, deniedByOrganization },
      unknown: {},
      stop: null,
    });
  });
});

it.each<[StartPurpose, boolean, string | null]>([
  ['manual', false, 'MANUAL_NEW_CHAIN'],
  ['follow_up', false, 'FIRST_TURN'],
  ['retry', false, 'FIRST_TIER_RETRY'],
  ['manual', true, null],
  ['follow_up', true, null],
  ['retry', true, null],
])('G4 gives %s (a predecessor: %s) %s', (purpose, hasPredecessor, reason) => {
  const source = hasPredecessor ? TIER_REQUEST.source : null;
  const { compared, stop } = check('G4', { request: { purpose, source } });
  expect(compared).toEqual({ purpose, hasPredecessor });
  expect(stop).toEqual(reason && { to: 'fresh', reason });
});
