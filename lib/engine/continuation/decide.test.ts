import { describe, expect, it } from 'vitest';
import {
  type Change,
  DECIDED_AT as now,
  TIER_POINTER as POINTER,
  POLICY,
  TIER_REQUEST as REQUEST,
  RUNTIME,
} from '@/tests/support/resume-facts';
import { resolveResumeDecision, WAIT_STEP_MS } from './decide';
import { GUARDS, RUNNER_CHECKS } from './guards/matrix';
import { RESUME_REASONS, type ResumeReason, resumeSentence } from './reasons';
import type { ResumeMode } from './schema';

function decide(change: Change, near: Change = {}, guards = GUARDS) {
  const pointer = near.pointer === undefined ? change.pointer : near.pointer;
  return resolveResumeDecision(
    { ...REQUEST, ...change.request, ...near.request },
    pointer === null ? null : { ...POINTER, ...change.pointer, ...pointer },
    { ...RUNTIME, ...change.runtime, ...near.runtime },
    { ...POLICY, ...change.policy, ...near.policy },
    now,
    guards,
  );
}

function ago(seconds: number): Date {
  return new Date(now.getTime() - seconds * 1_000);
}

const source = { tier: 1, hasEnded: true, hasCarrier: true } as const;
const changed = { outstandingCalls: 0, unknownCalls: 0, changingCalls: 1 };

/** The session of tier 1 continues its own conversation. */
const CONTINUES = { purpose: 'continue', tier: 1, attemptNumber: 2 } as const;

interface Row {
  guard: string;
  reason: ResumeReason;
  mode: ResumeMode;
  change: Change;
  /** Laid over the change: one fact away, and this reason is not given. */
  neighbour: Change;
  retires?: true;
}

function row(
  guard: string,
  reason: ResumeReason,
  mode: ResumeMode,
  change: Change,
  neighbour: Change,
  more: { retires?: true } = {},
): Row {
  return { guard, reason, mode, change, neighbour, ...more };
}

/** Another host than the one that holds the conversation, which takes no work. */
const AWAY = { runnerId: 'eu-2', isOwnerReachable: false };
/** What is kept of the pointer's conversation. */
const SEAL = { id: 'seal-1', bytes: 40_000, sha256: 'h1', expiresAt: ago(-60), fault: null };
const SEALED = { seal: SEAL, isSealRefused: false };

const retire = { retires: true } as const;

const ROWS: Row[] = [
  row(
    'G0',
    'INPUT_INVALID',
    'refuse',
    { request: { newCliSessionId: 'x' } },
    { request: { newCliSessionId: REQUEST.newCliSessionId } },
  ),
  row(
    'G0',
    'INPUT_INVALID',
    'refuse',
    { pointer: { cliSessionId: '../etc' } },
    { pointer: { cliSessionId: POINTER.cliSessionId } },
  ),
  row(
    'G0',
    'INPUT_INVALID',
    'refuse',
    { pointer: { contextTokens: Number.NaN } },
    { pointer: { contextTokens: 1 } },
  ),
  row('G0', 'INPUT_INVALID', 'refuse', { request: { source: null } }, { request: { source } }),
  row(
    'G0',
    'INPUT_INVALID',
    'refuse',
    { request: { chainId: null } },
    { request: { chainId: 'c' } },
  ),
  row(
    'G0',
    'INPUT_INVALID',
    'refuse',
    { request: { agent: 'Sonnet' } },
    { request: { agent: null } },
  ),
  row(
    'G1',
    'TENANT_MISMATCH',
    'refuse',
    { pointer: { organizationId: 'organization-b' } },
    { pointer: { organizationId: 'organization-a' } },
  ),
  row(
    'G1',
    'PROJECT_MISMATCH',
    'refuse',
    { pointer: { projectId: 'project-b' } },
    { pointer: { projectId: 'project-a' } },
  ),
  row(
    'G2',
    'POLICY_DENIED',
    'refuse',
    { request: { deniedBecause: 'the organization is suspended' } },
    { request: { deniedBecause: null } },
  ),
  row(
    'G2',
    'ATTEMPTS_SPENT',
    'refuse',
    { request: { attemptNumber: 5 } },
    { request: { attemptNumber: 4 } },
  ),
  row(
    'G5',
    'RECONCILE_REQUESTED',
    'reconcile',
    { request: { purpose: 'reconcile', forceFresh: true } },
    { request: { purpose: 'retry' } },
  ),
  row(
    'G5',
    'OUTSTANDING_TOOL',
    'reconcile',
    {
      request: {
        purpose: 'retry',
        forceFresh: true,
        earlierAttempt: { ...changed, outstandingCalls: 1 },
      },
    },
    { request: { tier: 1, source: null } },
  ),
  row(
    'G5',
    'EFFECT_UNKNOWN',
    'reconcile',
    { request: { purpose: 'retry', earlierAttempt: { ...changed, unknownCalls: 1 } } },
    { request: { earlierAttempt: changed } },
  ),
  row(
    'G6',
    'EFFECTS_APPLIED',
    'reconcile',
    { request: { purpose: 'retry', forceFresh: true, earlierAttempt: changed } },
    { request: { earlierAttempt: { ...changed, changingCalls: 0 } } },
  ),
  row(
    'G6',
    'NOTHING_TO_CARRY',
    'refuse',
    { request: { purpose: 'retry', source: null, earlierAttempt: changed } },
    { request: { source } },
  ),
  row(
    'G3',
    'CYCLE_ALWAYS_FRESH',
    'fresh',
    { request: { purpose: 'cycle', tier: 1, source: null }, pointer: null },
    { request: { purpose: 'retry' } },
  ),
  row(
    'G0',
    'INPUT_INVALID',
    'refuse',
    { request: { purpose: 'cycle' } },
    { request: { source: null } },
  ),
  row(
    'G4',
    'MANUAL_NEW_CHAIN',
    'fresh',
    { request: { purpose: 'manual', source: null }, pointer: null },
    { request: { source } },
  ),
  row(
    'G4',
    'FIRST_TIER_RETRY',
    'fresh',
    { request: { purpose: 'retry', tier: 1, source: null }, pointer: null },
    { request: { source } },
  ),
  row(
    'G23',
    'CLI_DENYLISTED',
    'wait',
    { policy: { deniedCliVersions: { installation: ['2.1.197'], organization: [] } } },
    { policy: { deniedCliVersions: { installation: ['2.1.19'], organization: [] } } },
  ),
  row(
    'G23',
    'CLI_DENYLISTED',
    'wait',
    { policy: { deniedCliVersions: { installation: [], organization: ['<2.1.198'] } } },
    { policy: { deniedCliVersions: { installation: [], organization: ['<2.1.197'] } } },
  ),
  row(
    'G7',
    'FORCE_FRESH',
    'handoff',
    { request: { forceFresh: true } },
    { request: { forceFresh: false } },
  ),
  row(
    'G8',
    'RESUME_DISABLED',
    'handoff',
    { request: { edgeMode: 'handoff' } },
    { request: { edgeMode: 'resume' } },
  ),
  row(
    'G8',
    'CAP_ABSENT',
    'handoff',
    { runtime: { canResume: false } },
    { runtime: { canResume: true } },
  ),
  row('G9', 'NO_POINTER', 'handoff', { pointer: null }, { pointer: {} }),
  row(
    'G9',
    'POINTER_INCOMPLETE',
    'handoff',
    { pointer: { cliSessionId: null } },
    { pointer: { cliSessionId: POINTER.cliSessionId } },
  ),
  row(
    'G9',
    'POINTER_UNCONFIRMED',
    'handoff',
    { pointer: { isConfirmed: false } },
    { pointer: { isConfirmed: true } },
  ),
  row(
    'G9',
    'NOTHING_TO_CARRY',
    'refuse',
    { pointer: null, request: { source: { ...source, hasCarrier: false } } },
    { request: { source } },
  ),
  row(
    'G24',
    'TAINTED',
    'handoff',
    { pointer: { isTainted: true } },
    { policy: { taintedConversation: 'resume' } },
  ),
  row(
    'G24',
    'TAINTED',
    'handoff',
    { pointer: { isTainted: true } },
    { pointer: { isTainted: false } },
  ),
  row(
    'G10',
    'RESUME_REJECTED',
    'handoff',
    { pointer: { retiredFor: 'resume_rejected' } },
    { pointer: { retiredFor: null } },
    retire,
  ),
  row(
    'G10',
    'CONTEXT_EXHAUSTED',
    'handoff',
    { pointer: { retiredFor: 'context_exhausted' } },
    { pointer: { retiredFor: null } },
    retire,
  ),
  row(
    'G10',
    'HISTORY_UNREPLAYABLE',
    'handoff',
    { pointer: { retiredFor: 'history_unreplayable' } },
    { pointer: { retiredFor: null } },
    retire,
  ),
  row(
    'G10',
    'WORKDIR_CHANGED',
    'handoff',
    { pointer: { retiredFor: 'work_dir_changed' } },
    { pointer: { retiredFor: null } },
    retire,
  ),
  row(
    'G10',
    'POINTER_RETIRED',
    'handoff',
    { pointer: { retiredFor: 'other' } },
    { pointer: { retiredFor: null } },
    retire,
  ),
  row(
    'G10',
    'FAILURE_CAP',
    'handoff',
    { pointer: { failures: 2 } },
    { pointer: { failures: 1 } },
    retire,
  ),
  row(
    'G10',
    'DEPTH_CAP',
    'handoff',
    { pointer: { depth: 20 } },
    { pointer: { depth: 19 } },
    retire,
  ),
  row(
    'G11',
    'OWNER_RUNNING',
    'wait',
    { request: { source: { ...source, hasEnded: false } } },
    { request: { waitLeftMs: 0 } },
  ),
  row(
    'G11',
    'OWNER_WAIT_EXPIRED',
    'handoff',
    { request: { source: { ...source, hasEnded: false }, waitLeftMs: 0 } },
    { request: { source } },
  ),
  row(
    'G12',
    'SOURCE_NOT_IN_CHAIN',
    'handoff',
    { pointer: { chainId: 'chain-11' } },
    { request: { purpose: 'manual' } },
  ),
  row(
    'G12',
    'AGENT_CHANGED',
    'handoff',
    { pointer: { agent: 'Sonnet' } },
    { pointer: { agent: null } },
  ),
  row('G12', 'TIER_ORDER', 'handoff', { request: { tier: 3 } }, { pointer: { tier: 2 } }),
  row(
    'G13',
    'FALLBACK_KEPT',
    'handoff',
    { request: { purpose: 'retry', hasFallenBack: true } },
    { request: { hasFallenBack: false } },
  ),
  row('G14', 'EPOCH_BASE', 'handoff', { request: { epoch: 'v15' } }, { pointer: { epoch: 'v15' } }),
  row(
    'G15',
    'EXPIRED',
    'handoff',
    { pointer: { createdAt: ago(259_201) } },
    { pointer: { createdAt: ago(259_200) } },
    retire,
  ),
  row(
    'G15',
    'CLOCK_SKEW',
    'handoff',
    { pointer: { createdAt: ago(-61) } },
    { pointer: { createdAt: ago(-60) } },
    retire,
  ),
  row(
    'G16',
    'AGENT_CHANGED',
    'handoff',
    { request: { harness: 'demo' } },
    { pointer: { harness: 'demo' } },
  ),
  row(
    'G16',
    'AUTH_CHANGED',
    'handoff',
    { runtime: { authPrincipal: 'key-2' } },
    { pointer: { authPrincipal: 'key-2' } },
  ),
  row(
    'G16',
    'CLI_DOWNGRADE',
    'handoff',
    { runtime: { cliVersion: '2.1.99' } },
    { runtime: { cliVersion: '2.1.330' } },
  ),
  row(
    'G16',
    'RUNTIME_CHANGED',
    'handoff',
    { runtime: { fingerprint: 'def' } },
    { pointer: { fingerprint: 'def' } },
  ),
  row(
    'G18',
    'ROUTE_TO_HOST',
    'wait',
    { runtime: { runnerId: 'eu-2', fingerprint: 'def' } },
    { request: { waitLeftMs: 0 } },
  ),
  row(
    'G18',
    'UNREACHABLE',
    'handoff',
    { runtime: { runnerId: 'eu-2' }, request: { waitLeftMs: 0 } },
    { runtime: { runnerId: 'eu-1' } },
  ),
  row(
    'G18',
    'UNREACHABLE',
    'handoff',
    { runtime: { isOwnerReachable: false } },
    { runtime: { isOwnerReachable: true } },
  ),
  row('G18', 'SEAL_EXPECTED', 'wait', { runtime: AWAY }, { pointer: { seal: SEAL } }),
  ...(
    [
      ['SEAL_REFUSED', { seal: null, isSealRefused: true }],
      ['SEAL_EXPIRED', { seal: { ...SEAL, expiresAt: now } }],
      ['SEAL_DIFFERS', { seal: { ...SEAL, sha256: 'h2' } }],
      ['SEAL_UNUSABLE', { seal: { ...SEAL, fault: 'damaged' } }],
    ] as const
  ).map(([reason, pointer]) =>
    row('G18', reason, 'handoff', { runtime: AWAY, pointer }, { pointer: SEALED }),
  ),
  row(
    'G18',
    'SEAL_UNSUPPORTED',
    'handoff',
    { runtime: { ...AWAY, canOpenSeals: false }, pointer: SEALED },
    { runtime: { canOpenSeals: true } },
  ),
  row(
    'G10',
    'SEAL_UNAVAILABLE',
    'handoff',
    { pointer: { retiredFor: 'seal_unavailable' } },
    { pointer: { retiredFor: null } },
    retire,
  ),
  row(
    'G10',
    'TAMPERED',
    'handoff',
    { pointer: { retiredFor: 'transcript_changed' } },
    { pointer: { retiredFor: null } },
    retire,
  ),
  row(
    'G18',
    'TOO_LARGE',
    'handoff',
    { pointer: { transcript: { bytes: 64_000_001, sha256: 'h1' } } },
    { pointer: { transcript: { bytes: 64_000_000, sha256: 'h1' } } },
  ),
  row(
    'G18',
    'OWNER_CLI_DENYLISTED',
    'handoff',
    {
      runtime: { runnerId: 'eu-2', ownerCliVersion: '2.1.100' },
      policy: { deniedCliVersions: { installation: [], organization: ['2.1.100'] } },
    },
    { runtime: { ownerCliVersion: '2.1.197' } },
  ),
  row(
    'G18',
    'OWNER_UNCONFINED',
    'handoff',
    { runtime: { runnerId: 'eu-2', canOwnerConfine: false, isOwnerSealing: false } },
    { runtime: { runnerId: 'eu-1', canOwnerConfine: false, isOwnerSealing: false } },
  ),
  row(
    'G18',
    'OWNER_UNPROVEN',
    'handoff',
    { runtime: { runnerId: 'eu-2', isOwnerProven: false, isOwnerSealing: false } },
    { runtime: { runnerId: 'eu-1', isOwnerProven: false, isOwnerSealing: false } },
  ),
  row(
    'G13',
    'CONTINUE_SPENT',
    'refuse',
    { request: { ...CONTINUES, hasContinued: true } },
    { request: { hasContinued: false } },
  ),
  row(
    'G19',
    'MODEL_EDGE_UNPROVEN',
    'handoff',
    { request: { model: 'opus' }, policy: { unprovenEdges: 'handoff' } },
    { request: { model: 'claude-sonnet-5' } },
  ),
  row(
    'G20',
    'CONTEXT_PRESSURE',
    'handoff',
    { pointer: { contextTokens: 160_001 } },
    { pointer: { contextTokens: 160_000 } },
  ),
  row(
    'G20',
    'CONTEXT_UNKNOWN',
    'handoff',
    { pointer: { contextTokens: null } },
    { pointer: { contextTokens: 0 } },
  ),
  row(
    'G22',
    'UNECONOMIC',
    'handoff',
    { policy: { maxRereadTokens: 14_999 } },
    { policy: { maxRereadTokens: 15_000 } },
  ),
];

describe('resolveResumeDecision', () => {
  it.each(ROWS.map((one, index) => ({ ...one, index })))(
    '[CNV-1.2] $index $guard gives $reason, and a neighbour does not',
    ({ guard, reason, mode, change, neighbour, retires }) => {
      const decision = decide(change);
      expect(decision).toMatchObject({ mode, reason });
      expect(
        decision.guards.filter(({ state }) => state === 'stopped').map((one) => one.id),
      ).toEqual([guard]);
      expect(decision.retirePointer).toBe(retires ?? false);
      const near = decide(change, neighbour);
      expect([near.reason, near.mode]).not.toEqual([reason, mode]);
    },
  );

  it('has a row for every reason but the good one and those that only turns have', () => {
    const ofTurns: ResumeReason[] = ['FIRST_TURN', 'HISTORY_CHANGED'];
    const given = new Set<ResumeReason>([
      'OK_RESUME',
      'OK_CONTINUE',
      'OK_APPROVAL',
      ...ofTurns,
      ...ROWS.map((one) => one.reason),
    ]);
    expect(given).toEqual(new Set(RESUME_REASONS));
  });

  it.each(GUARDS.map((guard) => guard.id))('without %s some decision would differ', (id) => {
    const weaker = GUARDS.filter((guard) => guard.id !== id);
    const isDifferent = (change: Change) => {
      try {
        return decide(change).reason !== decide(change, {}, weaker).reason;
      } catch {
        return true;
      }
    };
    expect(ROWS.some((one) => one.guard === id && isDifferent(one.change))).toBe(true);
  });

  it('has every guard once', () => {
    const ids = GUARDS.map((guard) => guard.id);
    expect(new Set(ids).size).toBe(ids.length);
  });

  it('[ENG-5.5] continues its own conversation although calls in it changed something', () => {
    const request = {
      ...CONTINUES,
      tier: 2,
      earlierAttempt: { ...changed, unknownCalls: 1 },
    } as const;
    expect(decide({ request, pointer: { tier: 2 } })).toMatchObject({
      mode: 'resume',
      reason: 'OK_CONTINUE',
      parentCliSessionId: POINTER.cliSessionId,
    });
  });

  it('[BND-4.2] continues its own conversation after a decision, in the middle of a call and more than once', () => {
    const request = {
      ...CONTINUES,
      purpose: 'approval',
      tier: 2,
      hasContinued: true,
      earlierAttempt: { ...changed, outstandingCalls: 1 },
    } as const;
    expect(decide({ request, pointer: { tier: 2 } })).toMatchObject({
      mode: 'resume',
      reason: 'OK_APPROVAL',
      parentCliSessionId: POINTER.cliSessionId,
    });
    expect(decide({ request, pointer: { tier: 2, isConfirmed: false } })).toMatchObject({
      mode: 'refuse',
    });
  });

  it.each<[ResumeReason, Change]>([
    ['OUTSTANDING_TOOL', { request: { earlierAttempt: { ...changed, outstandingCalls: 1 } } }],
    ['TIER_ORDER', { pointer: { tier: 2 } }],
    ['POINTER_UNCONFIRMED', { pointer: { isConfirmed: false } }],
    ['EXPIRED', { pointer: { createdAt: ago(73 * 3_600) } }],
    ['UNREACHABLE', { runtime: { isOwnerReachable: false } }],
  ])(
    '[ENG-5.5] leaves it to a retry where its own conversation can’t go on: %s',
    (reason, change) => {
      const request = { ...CONTINUES, ...change.request };
      expect(decide({ ...change, request })).toMatchObject({ mode: 'refuse', reason });
    },
  );

  it("[RES-2.1] resumes the parent's conversation when every guard passes", () => {
    const decision = decide({});
    expect(decision).toMatchObject({
      mode: 'resume',
      reason: 'OK_RESUME',
      parentCliSessionId: POINTER.cliSessionId,
      newCliSessionId: REQUEST.newCliSessionId,
      retirePointer: false,
      advisories: ['MODEL_CHANGED', 'CACHE_COLD'],
    });
    const states = new Map(decision.guards.map(({ id, state }) => [id, state]));
    expect(GUARDS.map(({ id }) => states.get(id)).filter((state) => state !== 'passed')).toEqual([
      // No limit for what reading it again may cost is set.
      'not_checked',
    ]);
  });

  it('shows every guard and runner check, with the values it compared up to the one that stopped', () => {
    const { guards } = decide({ runtime: { fingerprint: 'other' } });
    expect(guards).toHaveLength(GUARDS.length + RUNNER_CHECKS.length);
    const stopped = guards.findIndex(({ state }) => state === 'stopped');
    expect(guards[stopped]).toMatchObject({ id: 'G16', compared: { sameFingerprint: false } });
    expect(guards.slice(0, stopped).every(({ state }) => state === 'passed')).toBe(true);
    expect(guards.slice(stopped + 1).every(({ state }) => state === 'not_reached')).toBe(true);
  });

  it('claims nothing about a conversation that was never recorded', () => {
    const { guards } = decide({ pointer: null });
    const stopped = guards.find(({ state }) => state === 'stopped');
    expect(stopped).toMatchObject({
      id: 'G9',
      compared: { hasPointer: false, hasId: false, isConfirmed: false },
    });
  });

  it.each<[string, string, Change]>([
    ['G23', 'cliVersion', { runtime: { cliVersion: null } }],
    ['G18', 'ownerCliVersion', { runtime: { ownerCliVersion: null } }],
    ['G16', 'sameAccount', { pointer: { authPrincipal: null } }],
    ['G16', 'sameAccount', { runtime: { authPrincipal: null } }],
    ['G18', 'transcriptBytes', { pointer: { transcript: null } }],
    ['G22', 'maxRereadTokens', {}],
    ['G5', 'unknownCalls', { request: { purpose: 'retry', attemptNumber: 2 } }],
    ['G6', 'changingCalls', { request: { purpose: 'retry', attemptNumber: 2 } }],
    ['R1', 'work_dir', {}],
    ['R1', 'work_dir', { pointer: { workDirInode: null } }],
    ['R2', 'transcript', {}],
    ['R2', 'transcript', { pointer: { transcript: null } }],
  ])('[ENG-2.2] %s says why %s was not checked', (id, fact, change) => {
    const guard = decide(change).guards.find((one) => one.id === id);
    expect(guard?.unknown[fact]).toMatch(/^[A-Z].*\.$/);
    const isPartly = Object.keys(guard?.compared ?? {}).some((name) => !guard?.unknown[name]);
    expect(guard?.state).toBe(isPartly ? 'passed' : 'not_checked');
    expect(guard?.passed).toBe(isPartly ? true : null);
  });

  it('[RES-2.2] resumes tier 2 for tier 3', () => {
    const change: Change = {
      request: { tier: 3, model: 'opus', source: { ...source, tier: 2 } },
      pointer: { tier: 2, model: 'claude-sonnet-5' },
    };
    expect(decide(change)).toMatchObject({ mode: 'resume', reason: 'OK_RESUME' });
  });

  it.each<[number, number | null, number, ResumeReason]>([
    [15_000, 200_000, 0.8, 'OK_RESUME'],
    [170_000, 200_000, 0.8, 'CONTEXT_PRESSURE'],
    [170_000, 1_000_000, 0.8, 'OK_RESUME'],
    [850_000, 1_000_000, 0.8, 'CONTEXT_PRESSURE'],
    [170_000, null, 0.8, 'CONTEXT_PRESSURE'],
    [170_000, 200_000, 0.9, 'OK_RESUME'],
    [30_000, 200_000, 0.1, 'CONTEXT_PRESSURE'],
  ])('[RES-8.2] %i of %s tokens at %f gives %s', (contextTokens, contextWindow, share, reason) => {
    const decision = decide({
      pointer: { contextTokens },
      runtime: { contextWindow },
      policy: { threshold: { share, source: 'installation' } },
    });
    expect(decision.reason).toBe(reason);
    expect(decision.context).toEqual({
      usedTokens: contextTokens,
      cumulativeTokens: 48_000,
      windowTokens: contextWindow ?? 200_000,
      isWindowKnown: contextWindow !== null,
      share: contextTokens / (contextWindow ?? 200_000),
      threshold: share,
      thresholdSource: 'installation',
    });
  });

  it('[RES-8.3] records the resume limit on decisions that didn’t need it', () => {
    expect(decide({ request: { edgeMode: 'handoff' } }).context).toMatchObject({
      threshold: 0.8,
      thresholdSource: 'project',
      usedTokens: 15_000,
    });
  });

  it('[RES-8.1] does not judge by cumulative tokens', () => {
    expect(decide({ pointer: { cumulativeTokens: 900_000 } }).reason).toBe('OK_RESUME');
  });

  it('advises about old facts and unproven models without stopping for them', () => {
    const change: Change = {
      request: { model: 'fable' },
      pointer: { createdAt: ago(16 * 60) },
    };
    expect(decide(change)).toMatchObject({
      mode: 'resume',
      advisories: ['STALE_FACTS', 'MODEL_CHANGED', 'MODEL_EDGE_UNPROVEN', 'CACHE_COLD'],
    });
    expect(decide({ request: { model: 'haiku' } })).toMatchObject({ advisories: [] });
  });

  it.each<[number, number]>([
    [5_000, 2_000],
    [2_000, 2_000],
    [1_999, 1_999],
    [1, 1],
    // A denied version is waited for however little time is left.
    [0, 2_000],
  ])('with %i ms left it waits %i ms before it is decided again', (waitLeftMs, waitMs) => {
    const policy = { deniedCliVersions: { installation: ['2.1.197'], organization: [] } };
    expect(decide({ request: { waitLeftMs }, policy })).toMatchObject({ mode: 'wait', waitMs });
    expect(WAIT_STEP_MS).toBe(2_000);
  });

  it.each<[string, Change]>([
    ['no conversation', { pointer: null }],
    ['no id of a conversation', { pointer: { cliSessionId: null } }],
  ])('never starts a resume with %s, whatever the guards say', (_, change) => {
    expect(() => decide(change, {}, [])).toThrow('nothing to resume');
  });

  it('[ENG-2.2] shows a guard with nothing to compare as passed, and the one that stopped as not', () => {
    const outcome = { compared: {}, unknown: {}, stop: null };
    const silent = { id: 'G', name: 'Compares nothing', check: () => outcome };
    expect(decide({}, {}, [silent]).guards[0]).toMatchObject({ state: 'passed', passed: true });
    const { guards } = decide({ pointer: null });
    expect(guards.find(({ id }) => id === 'G9')).toMatchObject({ state: 'stopped', passed: false });
    expect(guards.at(-1)).toMatchObject({ state: 'not_reached', passed: null });
  });

  it.each<[string, string, Change]>([
    ['R1', 'The runner checks this right before it starts the process.', {}],
    ['R2', 'The runner checks this right before it starts the process.', {}],
    [
      'R1',
      'The runner that held the conversation did not report this.',
      { pointer: { workDirInode: null } },
    ],
    [
      'R2',
      'The runner that held the conversation did not report this.',
      { pointer: { transcript: null } },
    ],
  ])('[ENG-2.2] %s says: %s', (id, why, change) => {
    const check = decide(change).guards.find((one) => one.id === id);
    expect(Object.values(check?.unknown ?? {})).toEqual([why]);
  });

  it('[RES-8.1] records no context without a conversation', () => {
    expect(decide({ pointer: null }).context).toMatchObject({
      usedTokens: null,
      cumulativeTokens: null,
      share: null,
    });
  });

  it.each<[number, string[]]>([
    [300, []],
    [300.001, ['CACHE_COLD']],
    [900, ['CACHE_COLD']],
    [900.001, ['STALE_FACTS', 'CACHE_COLD']],
  ])('advises after %f s with the same model: %j', (seconds, advisories) => {
    const change: Change = { request: { model: 'haiku' }, pointer: { createdAt: ago(seconds) } };
    expect(decide(change)).toMatchObject({ mode: 'resume', advisories });
  });

  it('carries a transcript instead of a handoff where the caller says so', () => {
    expect(decide({ request: { carrier: 'transcript', forceFresh: true } })).toMatchObject({
      mode: 'transcript',
      reason: 'FORCE_FRESH',
    });
  });

  it('[SAS-3.3] no request for a fresh start leads past a reconcile', () => {
    const earlierAttempt = { ...changed, outstandingCalls: 1 };
    const change: Change = { request: { purpose: 'retry', forceFresh: true, earlierAttempt } };
    expect(decide(change)).toMatchObject({ mode: 'reconcile', reason: 'OUTSTANDING_TOOL' });
  });
});

describe('resumeSentence', () => {
  const values = {
    tier: 3,
    parentSession: '#19',
    parentTier: 2,
    runner: 'eu-1',
    parentCliSessionId: 'f1647ee4-3c3c-4f0a-8a56-6a2d8f1b9c0d',
    usedTokens: 170_000,
    windowTokens: 200_000,
    threshold: 0.8,
    denial: null,
  };

  it('[RES-7.3] says why a resume was rejected and what happened instead', () => {
    expect(resumeSentence('RESUME_REJECTED', values)).toBe(
      "Couldn't continue Session #19: runner eu-1 has no conversation f1647ee4…. Tier 3 started from the handoff instead.",
    );
  });

  it('[RES-8.2] says how full the context is', () => {
    expect(resumeSentence('CONTEXT_PRESSURE', { ...values, parentTier: 1 })).toBe(
      'Handed off instead of resuming: 170,000 of 200,000 tokens are in use and the limit is 80%. Raise the limit or shorten tier 1.',
    );
  });

  it.each(RESUME_REASONS)('%s has a sentence', (reason) => {
    const sentence = resumeSentence(reason, values);
    expect(sentence).toMatch(/^[A-Z].*\.$/);
    expect(sentence).not.toMatch(/undefined|null|NaN/);
  });
});
