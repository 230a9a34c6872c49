import { describe, expect, it } from 'vitest';
import { AGENTS } from '@/lib/agents/registry';
import { CLAIMED_AT, POINTER, RUNNER } from '@/tests/support/claim-facts';
import { hostRuntime, ownSource, resumePolicy, storedPointer } from './stored-input';

const OWNER = {
  chainId: 'chain-12',
  tier: 1,
  agent: null,
  epoch: 'v14',
  historyEpoch: null,
} as const;

const SEAL = {
  id: 'seal-1',
  bytes: 40_000,
  sha256: 'h1',
  expiresAt: CLAIMED_AT,
  fault: null,
};

function pointer(change: Partial<typeof POINTER> = {}) {
  const kept = { seal: SEAL, isSealRefused: false, isTainted: true };
  return storedPointer({ pointer: { ...POINTER, ...change }, ...kept }, OWNER);
}

describe('storedPointer', () => {
  it('takes every fact of the row, and the owner that it is told', () => {
    expect(pointer()).toEqual({
      ...OWNER,
      organizationId: 'organization-a',
      projectId: 'project-a',
      harness: 'claude',
      model: 'claude-haiku-4-5-20251001',
      cliSessionId: POINTER.cliSessionId,
      isConfirmed: true,
      retiredFor: null,
      failures: 0,
      depth: 0,
      runnerId: 'eu-1',
      fingerprint: 'abc',
      cliVersion: '2.1.330',
      authPrincipal: 'key-1',
      workDirInode: '8:1',
      transcript: { bytes: 40_000, sha256: 'h1' },
      seal: SEAL,
      isSealRefused: false,
      isTainted: true,
      contextTokens: 15_000,
      cumulativeTokens: 48_000,
      createdAt: POINTER.createdAt,
    });
  });

  it.each([
    ['confirmed', { state: 'confirmed' }, true, null],
    ['unconfirmed', { state: 'unconfirmed' }, false, null],
    [
      'retired after it was rejected',
      { state: 'retired', retiredReason: 'resume_rejected' },
      true,
      'resume_rejected',
    ],
    [
      'retired for a reason of its own',
      { state: 'retired', retiredReason: 'erased' },
      true,
      'other',
    ],
    ['retired for no stored reason', { state: 'retired', retiredReason: null }, true, 'other'],
    ['retired before it had an id', { state: 'retired', cliSessionId: '' }, false, 'other'],
  ])('%s', (_title, change, isConfirmed, retiredFor) => {
    expect(pointer(change)).toMatchObject({ isConfirmed, retiredFor });
  });

  it.each([
    ['bytes', { transcriptBytes: null }],
    ['hash', { transcriptSha256: null }],
  ])('knows no transcript without its %s', (_title, change) => {
    expect(pointer(change).transcript).toBeNull();
  });

  it('refuses an agent that it does not know', () => {
    expect(() => pointer({ harness: 'unknown-agent' })).toThrow();
  });
});

describe('hostRuntime', () => {
  const runtime = (
    change: Partial<Parameters<typeof hostRuntime>[0]> = {},
    now: Date = CLAIMED_AT,
  ) =>
    hostRuntime(
      { runner: RUNNER, owner: RUNNER, harness: 'claude', contextWindow: 200_000, ...change },
      now,
    );

  it('takes what the host last reported', () => {
    expect(runtime()).toEqual({
      runnerId: 'eu-1',
      isOwnerReachable: true,
      isOwnerProven: true,
      canOwnerConfine: true,
      isOwnerSealing: true,
      canOpenSeals: true,
      ownerCliVersion: '2.1.330',
      canResume: true,
      fingerprint: 'abc',
      cliVersion: '2.1.330',
      authPrincipal: 'key-1',
      contextWindow: 200_000,
    });
  });

  it('knows nothing of an agent that the host did not report', () => {
    expect(runtime({ runner: { id: 'eu-2', capabilities: null }, owner: null })).toMatchObject({
      runnerId: 'eu-2',
      isOwnerReachable: false,
      ownerCliVersion: null,
      fingerprint: null,
      cliVersion: null,
      authPrincipal: null,
    });
  });

  it.each([
    ['no output for a minute', {}, 60_000, true],
    ['silent for longer', {}, 60_001, false],
    ['revoked', { revokedAt: CLAIMED_AT }, 0, false],
    ['draining', { drainingAt: CLAIMED_AT }, 0, false],
    ['paused', { pausedAt: CLAIMED_AT }, 0, false],
    ['never seen', { lastSeenAt: null }, 0, false],
  ])('whether the owner can be waited for: %s', (_title, change, laterMs, isOwnerReachable) => {
    const now = new Date(CLAIMED_AT.getTime() + laterMs);
    expect(runtime({ owner: { ...RUNNER, ...change } }, now)).toMatchObject({ isOwnerReachable });
  });
});

describe('resumePolicy', () => {
  const CONFIG = {
    contextThreshold: 0.6,
    maxRereadTokens: 50_000,
    unprovenModels: 'handoff',
    taintedConversation: 'resume',
  } as const;
  const INSTALLATION = { resumeContextThreshold: null, deniedCliVersions: ['2.1.1'] };
  const policy = (
    change: Partial<Parameters<typeof resumePolicy>[0]> = {},
    installation: Parameters<typeof resumePolicy>[1] = INSTALLATION,
  ) =>
    resumePolicy(
      {
        config: CONFIG,
        harness: 'claude',
        organization: { deniedCliVersions: ['2.1.100'] },
        windows: [],
        ...change,
      },
      installation,
    );

  it('takes the settings of the project, and both deny lists', () => {
    expect(policy()).toMatchObject({
      maxRereadTokens: 50_000,
      unprovenEdges: 'handoff',
      taintedConversation: 'resume',
      deniedCliVersions: { installation: ['2.1.1'], organization: ['2.1.100'] },
      threshold: { share: 0.6, source: 'project' },
      provenEdges: AGENTS.claude.provenEdges,
    });
  });

  it('lets the threshold of the installation win', () => {
    expect(policy({}, { ...INSTALLATION, resumeContextThreshold: 0.3 }).threshold).toEqual({
      share: 0.3,
      source: 'installation',
    });
  });

  it('knows the smallest window of the host, or of the agent', () => {
    const window = (windowTokens: number) => ({ windowTokens }) as never;
    expect(policy().smallestWindow).toBe(AGENTS.claude.smallestWindow);
    expect(policy({ windows: [window(300_000), window(250_000)] }).smallestWindow).toBe(250_000);
  });
});

it('a session continues from itself, whatever is set about its edges', () => {
  expect(ownSource(2)).toEqual({
    forceFresh: false,
    edgeMode: 'resume',
    source: { tier: 2, hasEnded: true, hasCarrier: false },
  });
});
