import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { POLICY } from '@/tests/support/resume-facts';
import { resolveResumeDecision } from './decide';
import type { Pointer, ResumePolicy, ResumeRequest, Runtime } from './schema';
import { type CarriedStart, startContinuation } from './start';

const now = new Date('2026-11-21T14:00:00Z');
const CHILD = '0b8c5f0e-6a3f-4a7e-9d2b-5d1c3e4f5a6b';
const PARENT = 'f1647ee4-3c3c-4f0a-8a56-6a2d8f1b9c0d';

/** Mostly the good value, so that every depth of the matrix is reached. */
function mostly<T>(good: T, ...others: T[]): fc.Arbitrary<T> {
  return fc.oneof({ weight: 12, arbitrary: fc.constant(good) }, fc.constantFrom(good, ...others));
}

const tier = fc.constantFrom<1 | 2 | 3>(1, 2, 3);

const source = fc.record({
  tier,
  hasEnded: mostly(true, false),
  hasCarrier: mostly(true, false),
});

const earlierAttempt = fc.record({
  outstandingCalls: mostly(0, 1),
  unknownCalls: mostly(0, 1),
  changingCalls: mostly(0, 2),
});

const tierRequest: fc.Arbitrary<ResumeRequest> = fc.record({
  purpose: fc.constantFrom('escalate', 'retry', 'cycle', 'manual', 'reconcile', 'continue'),
  organizationId: mostly('a', 'b'),
  projectId: mostly('p', 'q'),
  chainId: mostly<string | null>('c', 'd', null),
  tier: mostly<1 | 2 | 3>(2, 1, 3),
  agent: mostly<string | null>(null, 'A'),
  harness: mostly<'claude' | 'demo'>('claude', 'demo'),
  model: fc.constantFrom('haiku', 'sonnet', 'opus', 'other'),
  newCliSessionId: mostly(CHILD, 'x'),
  deniedBecause: mostly<string | null>(null, 'no'),
  attemptNumber: mostly(1, 9),
  hasFallenBack: mostly(false, true),
  hasContinued: mostly(false, true),
  forceFresh: mostly(false, true),
  edgeMode: mostly<'resume' | 'handoff'>('resume', 'handoff'),
  carrier: fc.constantFrom('handoff', 'transcript'),
  source: fc.option(source, { freq: 4 }),
  earlierAttempt: fc.option(earlierAttempt),
  epoch: mostly('v1', 'v2'),
  historyEpoch: fc.constant(null),
  waitLeftMs: fc.constantFrom(0, 5_000),
});

const turnRequest: fc.Arbitrary<ResumeRequest> = fc
  .record({
    request: tierRequest,
    carrier: mostly<'handoff' | 'transcript'>('transcript', 'handoff'),
    agent: mostly<string | null>('A', 'B', null),
    historyEpoch: mostly<number | null>(3, 4, null),
    purpose: fc.constantFrom<'follow_up' | 'continue'>('follow_up', 'follow_up', 'continue'),
  })
  .map(({ request: tiers, ...turns }) => ({ ...tiers, ...turns }));

const request = fc.oneof(
  { weight: 3, arbitrary: tierRequest },
  { weight: 1, arbitrary: turnRequest },
);

const SEAL = {
  id: 'e',
  bytes: 1,
  sha256: 'h',
  expiresAt: new Date('2027-01-01T00:00:00Z'),
  fault: null,
};

const tierPointer: fc.Arbitrary<Pointer> = fc.record({
  organizationId: mostly('a', 'b'),
  projectId: mostly('p', 'q'),
  chainId: mostly<string | null>('c', 'd'),
  tier: mostly<1 | 2 | 3>(1, 2, 3),
  agent: fc.constant(null),
  harness: mostly<'claude' | 'demo'>('claude', 'demo'),
  model: fc.constantFrom('haiku', 'sonnet'),
  cliSessionId: mostly<string | null>(PARENT, null),
  isConfirmed: mostly(true, false),
  retiredFor: mostly<Pointer['retiredFor']>(null, 'resume_rejected', 'other'),
  failures: mostly(0, 2),
  depth: mostly(0, 20),
  runnerId: mostly('r', 's'),
  fingerprint: mostly<string | null>('f', null),
  cliVersion: mostly<string | null>('2.1.197', '2.1.330', null),
  authPrincipal: mostly<string | null>('k', null),
  workDirInode: mostly<string | null>('1', '2', null),
  epoch: mostly('v1', 'v2'),
  historyEpoch: fc.constant(null),
  isTainted: mostly(false, true),
  transcript: mostly<Pointer['transcript']>({ bytes: 1, sha256: 'h' }, null, {
    bytes: 1e9,
    sha256: 'h',
  }),
  seal: mostly<Pointer['seal']>(null, SEAL, { ...SEAL, fault: 'damaged' }),
  isSealRefused: mostly(false, true),
  contextTokens: mostly<number | null>(10_000, null, 190_000),
  cumulativeTokens: fc.constant(null),
  createdAt: mostly(now, new Date(0), new Date('2027-01-01T00:00:00Z')),
});

const turnPointer: fc.Arbitrary<Pointer> = fc
  .record({ held: tierPointer, agent: mostly('A', 'B'), historyEpoch: mostly(3, 4) })
  .map(({ held, ...turns }) => ({ ...held, ...turns, chainId: null, tier: 1 }));

const pointer = fc.oneof(
  { weight: 2, arbitrary: tierPointer },
  { weight: 1, arbitrary: turnPointer },
);

const runtime: fc.Arbitrary<Runtime> = fc.record({
  runnerId: mostly('r', 's'),
  isOwnerReachable: mostly(true, false),
  isOwnerProven: mostly(true, false),
  canOwnerConfine: mostly(true, false),
  isOwnerSealing: mostly(true, false),
  canOpenSeals: mostly(true, false),
  ownerCliVersion: mostly<string | null>('2.1.197', null),
  canResume: mostly(true, false),
  fingerprint: mostly<string | null>('f', null),
  cliVersion: mostly<string | null>('2.1.197', null),
  authPrincipal: mostly<string | null>('k', null),
  contextWindow: mostly<number | null>(200_000, null, 1_000_000),
});

const policy: fc.Arbitrary<ResumePolicy> = fc
  .record({
    deniedCliVersions: mostly(
      { installation: [], organization: [] },
      { installation: ['<2.1.197'], organization: ['2.1.197'] },
    ),
    unprovenEdges: fc.constantFrom<'resume' | 'handoff'>('resume', 'handoff'),
    maxRereadTokens: mostly<number | null>(null, 9_999),
  })
  .map((fields) => ({ ...POLICY, ...fields }));

function carriedThings(start: CarriedStart): string[] {
  return [
    ...(start.continuation.mode === 'resume' ? ['resume'] : []),
    ...(start.handoffContext === null ? [] : ['handoff']),
    ...(start.transcript === null ? [] : ['transcript']),
  ];
}

describe('startContinuation', () => {
  it('[CNV-1.1] [RES-2.3] a start with a predecessor carries exactly one thing, and only it', () => {
    const seen = new Map<string, number>();
    const seenOfTurns = new Map<string, number>();
    let continuedTurns = 0;
    fc.assert(
      fc.property(request, fc.option(pointer, { freq: 9 }), runtime, policy, (r, p, h, c) => {
        const decision = resolveResumeDecision(r, p, h, c, now);
        seen.set(decision.mode, (seen.get(decision.mode) ?? 0) + 1);
        const isTurn = r.purpose === 'follow_up';
        if (isTurn) seenOfTurns.set(decision.mode, (seenOfTurns.get(decision.mode) ?? 0) + 1);
        if (decision.mode === 'wait' || decision.mode === 'refuse') return;
        if (r.purpose === 'continue') expect(decision.mode).toBe('resume');
        if (r.purpose === 'continue' && r.agent !== null) continuedTurns += 1;
        if (isTurn) expect(['fresh', 'resume', 'transcript']).toContain(decision.mode);
        const start = startContinuation(decision, { handoffContext: 'H', transcript: 'T' });
        expect(carriedThings(start)).toHaveLength(r.source === null ? 0 : 1);
        expect(start.continuation.mode === 'fresh').toBe(r.source === null);
        expect(decision.mode === 'fresh').toBe(r.source === null);
        const isResumed = start.continuation.mode === 'resume';
        expect(isResumed).toBe(decision.mode === 'resume');
        if (isResumed) {
          expect(p?.organizationId).toBe(r.organizationId);
          expect(decision.guards.map(({ state }) => state)).not.toContain('stopped');
        }
      }),
      { numRuns: 8_000, seed: 20_261_121 },
    );
    // Worth something only if the matrix was really walked.
    for (const mode of [
      'fresh',
      'resume',
      'handoff',
      'transcript',
      'reconcile',
      'wait',
      'refuse',
    ]) {
      expect(seen.get(mode) ?? 0, mode).toBeGreaterThan(20);
    }
    expect(continuedTurns).toBeGreaterThan(20);
    for (const mode of ['fresh', 'resume', 'transcript', 'wait', 'refuse']) {
      expect(seenOfTurns.get(mode) ?? 0, `${mode} of a turn`).toBeGreaterThan(20);
    }
  });

  it('refuses to start without what the decision asks for', () => {
    fc.assert(
      fc.property(request, pointer, runtime, policy, (r, p, h, c) => {
        const decision = resolveResumeDecision(r, p, h, c, now);
        if (decision.mode === 'wait' || decision.mode === 'refuse') return;
        const start = () => startContinuation(decision, { handoffContext: '', transcript: null });
        if (decision.mode === 'fresh' || decision.mode === 'resume') start();
        else expect(start).toThrow('none was loaded');
      }),
      { numRuns: 500, seed: 20_261_121 },
    );
  });
});
