import { describe, expect, it } from 'vitest';
import {
  ATTEMPT,
  CLAIMED_AT,
  type ClaimChange,
  claimFacts,
  PARENT_CLI_SESSION_ID,
  POINTER,
} from '@/tests/support/claim-facts';
import { CONFIG } from '@/tests/support/settlement-facts';
import { resumeInput } from './resume-input';

const INSTALLATION = { resumeContextThreshold: null, deniedCliVersions: [] };

function input(change: ClaimChange = {}, attempt: Partial<typeof ATTEMPT> = {}) {
  return resumeInput({ ...ATTEMPT, ...attempt }, claimFacts(change), INSTALLATION, CLAIMED_AT);
}

describe('the request', () => {
  it("takes its facts from the claim's rows", () => {
    expect(input().request).toEqual({
      purpose: 'escalate',
      organizationId: 'organization-a',
      projectId: 'project-a',
      chainId: 'chain-12',
      tier: 2,
      agent: null,
      harness: 'claude',
      model: 'sonnet',
      newCliSessionId: expect.stringMatching(/^[0-9a-f-]{36}$/),
      deniedBecause: null,
      attemptNumber: 1,
      hasFallenBack: false,
      hasContinued: false,
      forceFresh: false,
      edgeMode: 'resume',
      carrier: 'handoff',
      source: { tier: 1, hasEnded: true, hasCarrier: true },
      earlierAttempt: null,
      epoch: 'v14',
      historyEpoch: null,
      waitLeftMs: 0,
    });
  });

  it('gives every start an id of its own', () => {
    expect(input().request.newCliSessionId).not.toBe(input().request.newCliSessionId);
  });

  it.each([
    ['a scheduled first tier', { parent: null }, {}, 'cycle'],
    ['a first tier started manually', { parent: null, chain: { trigger: 'manual' } }, {}, 'manual'],
    ['a first tier through the API', { parent: null, chain: { trigger: 'api' } }, {}, 'manual'],
    ['a first tier again', { parent: null }, { number: 2 }, 'retry'],
    ['a higher tier', {}, {}, 'escalate'],
    ['a higher tier again', {}, { number: 2 }, 'retry'],
    ['a look at what happened', {}, { purpose: 'reconcile', number: 2 }, 'reconcile'],
    ['its own conversation', {}, { purpose: 'continue', number: 2 }, 'continue'],
  ] as const)('%s', (_title, change, attempt, purpose) => {
    expect(input(change, attempt).request.purpose).toBe(purpose);
  });

  it.each([
    [2, 'handoff', 'resume', 'handoff'],
    [2, 'resume', 'handoff', 'resume'],
    [3, 'handoff', 'resume', 'resume'],
    [3, 'resume', 'handoff', 'handoff'],
  ] as const)('tier %i with edges %s and %s: %s', (tier, tier1To2, tier2To3, edgeMode) => {
    const frozen = { continuation: { tier1To2, tier2To3 } };
    expect(input({ session: { tier }, frozen }).request.edgeMode).toBe(edgeMode);
  });

  it('says what became of its predecessor', () => {
    const { parent } = claimFacts();
    if (!parent) throw new Error('There is no parent.');
    expect(input({ parent: null }).request.source).toBeNull();
    expect(input({ handoff: null }).request.source?.hasCarrier).toBe(false);
    expect(input({ parent: { ...parent, endedAt: null } }).request.source?.hasEnded).toBe(false);
    expect(input({ chain: { isForceFresh: true } }).request.forceFresh).toBe(true);
  });

  it('is its own predecessor where it continues, whatever its edges say', () => {
    const change = {
      chain: { isForceFresh: true },
      frozen: { continuation: { tier1To2: 'handoff', tier2To3: 'handoff' } },
      hasContinued: true,
    } as const;
    expect(input(change, { purpose: 'continue', number: 2 }).request).toMatchObject({
      forceFresh: false,
      edgeMode: 'resume',
      hasContinued: true,
      source: { tier: 2, hasCarrier: false },
    });
  });

  it('says whether an earlier attempt may have changed something', () => {
    const call = (command: string) => {
      return { tool: 'Bash', isOurs: false, input: { command }, result: { denied: false } };
    };
    const reads = input({ earlierCalls: [call('docker ps')] }, { number: 2 }).request;
    const acts = input({ earlierCalls: [call('docker restart web')] }, { number: 2 }).request;
    expect(reads.earlierAttempt).not.toBeNull();
    expect(acts.earlierAttempt).not.toEqual(reads.earlierAttempt);
  });

  it.each([
    ['no limit', null, 0],
    ['in the future', new Date(CLAIMED_AT.getTime() + 5_000), 5_000],
    ['in the past', new Date(CLAIMED_AT.getTime() - 5_000), 0],
  ])('waits no longer than it may: %s', (_title, waitUntil, waitLeftMs) => {
    expect(input({}, { waitUntil }).request.waitLeftMs).toBe(waitLeftMs);
  });

  it.each([
    ['handoff', true],
    [null, false],
  ])('has fallen back where it was queued for a %s only', (onlyMode, hasFallenBack) => {
    expect(input({}, { onlyMode }).request.hasFallenBack).toBe(hasFallenBack);
  });
});

describe('the pointer', () => {
  it('belongs to the chain and the tier of its session', () => {
    expect(input().pointer).toMatchObject({
      chainId: 'chain-12',
      tier: 1,
      agent: null,
      epoch: 'v14',
      cliSessionId: PARENT_CLI_SESSION_ID,
    });
    const older = { ...POINTER, projectVersion: 13 };
    expect(input({ pointer: older }).pointer?.epoch).toBe('v13');
  });

  it('is null without one, and without a predecessor', () => {
    expect(input({ pointer: null }).pointer).toBeNull();
    expect(input({ parent: null }).pointer).toBeNull();
  });
});

describe('the context window', () => {
  const learned = { model: 'sonnet', windowTokens: 250_000 } as never;
  const [first, second, third] = CONFIG.tiers;
  const set = { tiers: [first, { ...second, contextWindow: 100_000 }, third] } as const;

  it.each([
    ['is unknown', {}, null],
    ['was learned from a model', { windows: [learned] }, 250_000],
    ['is set for the tier', { windows: [learned], frozen: { tiers: [...set.tiers] } }, 100_000],
  ] as const)('%s', (_title, change, contextWindow) => {
    expect(input(change as ClaimChange).runtime.contextWindow).toBe(contextWindow);
  });

  it('says nothing of another model', () => {
    const other = { model: 'opus', windowTokens: 250_000 } as never;
    expect(input({ windows: [other] }).runtime.contextWindow).toBeNull();
  });
});

it('the policy is that of the frozen version, and of the organization', () => {
  const { policy } = input({ frozen: { contextThreshold: 0.5 }, live: { contextThreshold: 0.9 } });
  expect(policy.threshold).toEqual({ share: 0.5, source: 'project' });
  expect(policy.deniedCliVersions.organization).toEqual(['2.1.100']);
});
