import { describe, expect, it } from 'vitest';
import { type Change, POLICY, RUNTIME } from '@/tests/support/resume-facts';
import { resolveResumeDecision } from './decide';
import { RESUME_REASONS, type ResumeReason, type ResumeValues, resumeSentence } from './reasons';
import type { Pointer, ResumeRequest } from './schema';
import { startContinuation } from './start';

const now = new Date('2026-11-21T15:00:00Z');

/** Turn 3 of a conversation about a project; turn 2 was its agent's too. */
const REQUEST: ResumeRequest = {
  purpose: 'follow_up',
  organizationId: 'organization-a',
  projectId: 'project-a',
  chainId: null,
  tier: 1,
  agent: 'Sonnet',
  harness: 'claude',
  model: 'sonnet',
  newCliSessionId: '0b8c5f0e-6a3f-4a7e-9d2b-5d1c3e4f5a6b',
  deniedBecause: null,
  attemptNumber: 1,
  hasFallenBack: false,
  hasContinued: false,
  forceFresh: false,
  edgeMode: 'resume',
  carrier: 'transcript',
  source: { tier: 1, hasEnded: true, hasCarrier: true },
  earlierAttempt: null,
  epoch: 'inputs-1',
  historyEpoch: 4,
  waitLeftMs: 0,
};

const POINTER: Pointer = {
  organizationId: 'organization-a',
  projectId: 'project-a',
  chainId: null,
  tier: 1,
  agent: 'Sonnet',
  harness: 'claude',
  model: 'claude-sonnet-5',
  cliSessionId: 'f1647ee4-3c3c-4f0a-8a56-6a2d8f1b9c0d',
  isConfirmed: true,
  retiredFor: null,
  failures: 0,
  depth: 2,
  runnerId: 'eu-1',
  fingerprint: 'abc',
  cliVersion: '2.1.197',
  authPrincipal: 'key-1',
  workDirInode: '8:1',
  epoch: 'inputs-1',
  historyEpoch: 4,
  transcript: { bytes: 40_000, sha256: 'h1' },
  seal: null,
  isSealRefused: false,
  isTainted: false,
  contextTokens: 15_000,
  cumulativeTokens: 48_000,
  createdAt: new Date('2026-11-21T14:59:00Z'),
};

function decide(change: Change) {
  return resolveResumeDecision(
    { ...REQUEST, ...change.request },
    change.pointer === null ? null : { ...POINTER, ...change.pointer },
    { ...RUNTIME, ...change.runtime },
    { ...POLICY, ...change.policy },
    now,
  );
}

const source = { tier: 1, hasEnded: true, hasCarrier: true } as const;
/** The newest session of a chain that has ended, whatever its tier. */
const CHAIN: Change = {
  request: { chainId: 'chain-12', source: { ...source, tier: 3 }, historyEpoch: 0, model: 'opus' },
  pointer: {
    chainId: 'chain-12',
    tier: 3,
    agent: null,
    historyEpoch: null,
    model: 'claude-opus-4-8',
  },
};

const ON_ANOTHER_HOST: Change = { runtime: { runnerId: 'eu-2', ownerCliVersion: '2.1.100' } };
const denying = (version: string) => {
  return { deniedCliVersions: { installation: [], organization: [version] } };
};

/** What CNV-2.1 names, the reason for it, the fact that fails, and the nearest that passes. */
const GUARD_ROWS: [what: string, ResumeReason, fails: Change, passes: Change][] = [
  [
    'no capability',
    'CAP_ABSENT',
    { runtime: { canResume: false } },
    { runtime: { canResume: true } },
  ],
  [
    'a denied CLI on the host that holds it',
    'OWNER_CLI_DENYLISTED',
    { ...ON_ANOTHER_HOST, policy: denying('2.1.100') },
    { policy: denying('2.1.100') },
  ],
  [
    'forced fresh',
    'FORCE_FRESH',
    { request: { forceFresh: true } },
    { request: { forceFresh: false } },
  ],
  [
    'resuming switched off',
    'RESUME_DISABLED',
    { request: { edgeMode: 'handoff' } },
    { request: { edgeMode: 'resume' } },
  ],
  [
    'another agent',
    'AGENT_CHANGED',
    { request: { agent: 'Opus' } },
    { pointer: { agent: 'Sonnet' } },
  ],
  [
    'another agent by the same name',
    'AGENT_CHANGED',
    { request: { harness: 'demo' } },
    { request: { harness: 'demo' }, pointer: { harness: 'demo' } },
  ],
  [
    'the history edited',
    'HISTORY_CHANGED',
    { request: { historyEpoch: 5 } },
    { request: { historyEpoch: 5 }, pointer: { historyEpoch: 5 } },
  ],
  [
    'an epoch that was not recorded',
    'HISTORY_CHANGED',
    { pointer: { historyEpoch: null } },
    { pointer: { historyEpoch: 4 } },
  ],
  [
    'other configured inputs',
    'EPOCH_BASE',
    { request: { epoch: 'inputs-2' } },
    { request: { epoch: 'inputs-2' }, pointer: { epoch: 'inputs-2' } },
  ],
  [
    'another work directory, as its runner found',
    'WORKDIR_CHANGED',
    { pointer: { retiredFor: 'work_dir_changed' } },
    { pointer: { retiredFor: null } },
  ],
  [
    'another binary or capability',
    'RUNTIME_CHANGED',
    { runtime: { fingerprint: 'def' } },
    { runtime: { fingerprint: 'def' }, pointer: { fingerprint: 'def' } },
  ],
  [
    'an older CLI',
    'CLI_DOWNGRADE',
    { runtime: { cliVersion: '2.1.99' } },
    { runtime: { cliVersion: '2.1.330' } },
  ],
  [
    'another account',
    'AUTH_CHANGED',
    { runtime: { authPrincipal: 'key-2' } },
    { runtime: { authPrincipal: 'key-1' } },
  ],
  [
    'a model edge that is not proven',
    'MODEL_EDGE_UNPROVEN',
    { request: { model: 'haiku' }, policy: { unprovenEdges: 'handoff' } },
    { request: { model: 'opus' }, policy: { unprovenEdges: 'handoff' } },
  ],
  [
    'an id that was rejected',
    'RESUME_REJECTED',
    { pointer: { retiredFor: 'resume_rejected' } },
    { pointer: { retiredFor: null } },
  ],
  [
    'a context that was exhausted',
    'CONTEXT_EXHAUSTED',
    { pointer: { retiredFor: 'context_exhausted' } },
    { pointer: { retiredFor: null } },
  ],
  [
    'a history that cannot be replayed',
    'HISTORY_UNREPLAYABLE',
    { pointer: { retiredFor: 'history_unreplayable' } },
    { pointer: { retiredFor: null } },
  ],
  [
    'a retired id',
    'POINTER_RETIRED',
    { pointer: { retiredFor: 'other' } },
    { pointer: { retiredFor: null } },
  ],
  [
    'an id that keeps failing',
    'FAILURE_CAP',
    { pointer: { failures: 2 } },
    { pointer: { failures: 1 } },
  ],
  [
    'an id that was not confirmed',
    'POINTER_UNCONFIRMED',
    { pointer: { isConfirmed: false } },
    { pointer: { isConfirmed: true } },
  ],
  [
    'a source that still runs',
    'OWNER_WAIT_EXPIRED',
    { request: { source: { ...source, hasEnded: false } } },
    { request: { source } },
  ],
  [
    'a fallback before',
    'FALLBACK_KEPT',
    { request: { attemptNumber: 2, hasFallenBack: true } },
    { request: { attemptNumber: 2 } },
  ],
  [
    'context pressure',
    'CONTEXT_PRESSURE',
    { pointer: { contextTokens: 160_001 } },
    { pointer: { contextTokens: 160_000 } },
  ],
  [
    'a context that is not known',
    'CONTEXT_UNKNOWN',
    { pointer: { contextTokens: null } },
    { pointer: { contextTokens: 0 } },
  ],
  [
    'another host',
    'UNREACHABLE',
    { runtime: { runnerId: 'eu-2' } },
    { runtime: { runnerId: 'eu-1' } },
  ],
  [
    'a host that does not answer',
    'UNREACHABLE',
    { runtime: { isOwnerReachable: false } },
    { runtime: { isOwnerReachable: true } },
  ],
  [
    'a stored conversation that was altered, as its runner found',
    'TAMPERED',
    { pointer: { retiredFor: 'transcript_changed' } },
    { pointer: { retiredFor: null } },
  ],
  [
    'one that is too large',
    'TOO_LARGE',
    { pointer: { transcript: { bytes: 64_000_001, sha256: 'h1' } } },
    { pointer: { transcript: { bytes: 64_000_000, sha256: 'h1' } } },
  ],
  [
    'one that is too old',
    'EXPIRED',
    { pointer: { createdAt: new Date('2026-11-18T14:59:59Z') } },
    { pointer: { createdAt: new Date('2026-11-18T15:00:00Z') } },
  ],
  [
    'one from the future',
    'CLOCK_SKEW',
    { pointer: { createdAt: new Date('2026-11-21T15:01:01Z') } },
    { pointer: { createdAt: new Date('2026-11-21T15:01:00Z') } },
  ],
  [
    'a price that is too high',
    'UNECONOMIC',
    { policy: { maxRereadTokens: 14_999 } },
    { policy: { maxRereadTokens: 15_000 } },
  ],
];

describe('resolveResumeDecision for a turn', () => {
  it.each(GUARD_ROWS)(
    '[CNV-1.2] [CNV-2.1] %s: %s, no resume and the whole transcript, and next to it a resume',
    (_, reason, fails, passes) => {
      const decision = decide(fails);
      expect(decision).toMatchObject({ mode: 'transcript', reason });
      expect(decision.guards.filter(({ state }) => state === 'stopped')).toHaveLength(1);
      if (decision.mode !== 'transcript') return;
      expect(startContinuation(decision, { handoffContext: 'H', transcript: 'T' })).toEqual({
        continuation: { mode: 'transcript' },
        handoffContext: null,
        transcript: 'T',
      });
      expect(decide(passes)).toMatchObject({ mode: 'resume', reason: 'OK_RESUME' });
    },
  );

  it('[CNV-1.1] [CNV-2.1] the first turn has nothing to resume and nothing to send along', () => {
    const first: Change = { request: { source: null }, pointer: null };
    expect(decide(first)).toMatchObject({ mode: 'fresh', reason: 'FIRST_TURN' });
    expect(decide({ ...first, request: { source: null, forceFresh: true } })).toMatchObject({
      mode: 'fresh',
      reason: 'FIRST_TURN',
    });
  });

  it('[CNV-1.1] a turn that passes every guard resumes, and sends no transcript', () => {
    const decision = decide({});
    expect(decision).toMatchObject({ mode: 'resume', parentCliSessionId: POINTER.cliSessionId });
    if (decision.mode !== 'resume') return;
    expect(startContinuation(decision, { handoffContext: 'H', transcript: 'T' })).toEqual({
      continuation: {
        mode: 'resume',
        parentCliSessionId: POINTER.cliSessionId,
        workDirInode: POINTER.workDirInode,
        transcript: POINTER.transcript,
        sealId: null,
      },
      handoffContext: null,
      transcript: null,
    });
  });

  it("[CNV-2.1] [ENG-2.7] doesn't start under a denied version of the CLI, also as a first turn", () => {
    for (const first of [{}, { request: { source: null }, pointer: null }] satisfies Change[]) {
      const change: Change = { ...first, policy: denying('<2.1.198') };
      expect(decide(change)).toMatchObject({ mode: 'wait', reason: 'CLI_DENYLISTED' });
      expect(decide({ ...first, policy: denying('<2.1.197') }).mode).not.toBe('wait');
    }
  });

  it('[CNV-2.1] waits for a source that still runs, and for its host, only while there is time', () => {
    const running = { source: { ...source, hasEnded: false } };
    expect(decide({ request: { ...running, waitLeftMs: 900 } })).toMatchObject({
      mode: 'wait',
      reason: 'OWNER_RUNNING',
      waitMs: 900,
    });
    const elsewhere: Change = { runtime: { runnerId: 'eu-2' }, request: { waitLeftMs: 900 } };
    expect(decide(elsewhere)).toMatchObject({ mode: 'wait', reason: 'ROUTE_TO_HOST' });
  });

  it('[CNV-2.1] another agent is not worth waiting for its host', () => {
    expect(
      decide({ runtime: { runnerId: 'eu-2' }, request: { agent: 'Opus', waitLeftMs: 900 } }),
    ).toMatchObject({ mode: 'transcript', reason: 'AGENT_CHANGED' });
  });

  it('continues the newest session of the chain that it is about, whatever its tier or agent', () => {
    expect(decide(CHAIN)).toMatchObject({ mode: 'resume', reason: 'OK_RESUME' });
    const { request, pointer } = CHAIN;
    const raised = { ...CHAIN, request: { ...request, agent: 'Opus', historyEpoch: 9 } };
    expect(decide(raised)).toMatchObject({ mode: 'resume' });
    for (const chainId of ['chain-11', null]) {
      const other = { ...CHAIN, pointer: { ...pointer, chainId } };
      expect(decide(other)).toMatchObject({ mode: 'transcript', reason: 'SOURCE_NOT_IN_CHAIN' });
      const asked = { ...CHAIN, request: { ...request, chainId } };
      expect(decide(asked)).toMatchObject({ mode: 'transcript', reason: 'SOURCE_NOT_IN_CHAIN' });
    }
  });

  it('continues its own turn before it in a conversation about a chain', () => {
    expect(decide({ request: { chainId: 'chain-12' } })).toMatchObject({ mode: 'resume' });
  });

  it('repeats whatever the attempt before it did: it only observes', () => {
    const earlierAttempt = {
      outstandingCalls: 1,
      unknownCalls: 1,
      changingCalls: 1,
    };
    expect(decide({ request: { earlierAttempt } })).toMatchObject({
      mode: 'resume',
      reason: 'OK_RESUME',
    });
  });

  it.each<[string, Change]>([
    ['POLICY_DENIED', { request: { deniedBecause: 'the organization is suspended' } }],
    ['ATTEMPTS_SPENT', { request: { attemptNumber: 5 } }],
    ['TENANT_MISMATCH', { pointer: { organizationId: 'organization-b' } }],
    ['PROJECT_MISMATCH', { pointer: { projectId: 'project-b' } }],
    ['INPUT_INVALID', { request: { agent: null } }],
    ['INPUT_INVALID', { request: { historyEpoch: null } }],
    ['INPUT_INVALID', { request: { carrier: 'handoff' } }],
    [
      'NOTHING_TO_CARRY',
      { request: { forceFresh: true, source: { ...source, hasCarrier: false } } },
    ],
  ])('does not start at all: %s', (reason, change) => {
    expect(decide(change)).toMatchObject({ mode: 'refuse', reason });
  });
});

describe('[ENG-5.5] resolveResumeDecision for a turn that continues after it went silent', () => {
  const own = { tier: 1, hasEnded: true, hasCarrier: false } as const;
  const calls = { outstandingCalls: 0, unknownCalls: 1, changingCalls: 1 };
  const continues = (change: Change = {}) => {
    const request = { purpose: 'continue', source: own, attemptNumber: 2 } as const;
    return decide({ ...change, request: { ...request, ...change.request } });
  };

  it('resumes its own conversation', () => {
    expect(continues()).toMatchObject({
      mode: 'resume',
      reason: 'OK_CONTINUE',
      parentCliSessionId: POINTER.cliSessionId,
    });
  });

  it.each<[string, Change]>([
    ['in a conversation about a chain', { request: { chainId: 'chain-12' } }],
    ['after calls that have ended', { request: { earlierAttempt: calls } }],
  ])('also %s', (_, change) => {
    expect(continues(change)).toMatchObject({ mode: 'resume', reason: 'OK_CONTINUE' });
  });

  it.each<[ResumeReason, Change]>([
    ['CONTINUE_SPENT', { request: { hasContinued: true } }],
    ['OUTSTANDING_TOOL', { request: { earlierAttempt: { ...calls, outstandingCalls: 1 } } }],
    ['POLICY_DENIED', { request: { deniedBecause: 'it has been removed from the history' } }],
    ['ATTEMPTS_SPENT', { request: { attemptNumber: 5 } }],
    ['NO_POINTER', { pointer: null }],
    ['AGENT_CHANGED', { pointer: { agent: 'Opus' } }],
    ['HISTORY_CHANGED', { pointer: { historyEpoch: 3 } }],
    ['EPOCH_BASE', { pointer: { epoch: 'inputs-0' } }],
    ['UNREACHABLE', { runtime: { runnerId: 'eu-2' } }],
    ['CONTEXT_UNKNOWN', { pointer: { contextTokens: null } }],
    ['TENANT_MISMATCH', { pointer: { organizationId: 'organization-b' } }],
    ['INPUT_INVALID', { request: { source: null } }],
    ['INPUT_INVALID', { request: { historyEpoch: null } }],
    ['INPUT_INVALID', { request: { carrier: 'handoff' } }],
    // Without an agent it would be a tier's.
    ['INPUT_INVALID', { request: { agent: null } }],
  ])('is refused and starts nothing else: %s', (reason, change) => {
    expect(continues(change)).toMatchObject({ mode: 'refuse', reason });
  });

  it('waits for the host that holds it while there is time', () => {
    const elsewhere: Change = { runtime: { runnerId: 'eu-2' }, request: { waitLeftMs: 900 } };
    expect(continues(elsewhere)).toMatchObject({ mode: 'wait', reason: 'ROUTE_TO_HOST' });
  });
});

describe('resumeSentence for a turn', () => {
  const values: ResumeValues = {
    tier: 1,
    parentSession: '#44',
    parentTier: 1,
    runner: 'eu-1',
    parentCliSessionId: 'f1647ee4-3c3c-4f0a-8a56-6a2d8f1b9c0d',
    usedTokens: 170_000,
    windowTokens: 200_000,
    threshold: 0.8,
    denial: null,
    turn: { continues: 2 },
  };

  it.each<[ResumeReason, string]>([
    ['OK_RESUME', 'Continues the conversation of turn 2.'],
    ['FIRST_TURN', 'First turn: there is no earlier conversation.'],
    ['FORCE_FRESH', 'A fresh start was requested. The full transcript was sent instead.'],
    [
      'HISTORY_CHANGED',
      "Couldn't continue turn 2: what was said before has been edited, retried or cut since. The full transcript was sent instead.",
    ],
    [
      'AGENT_CHANGED',
      "Couldn't continue turn 2: it was held by another agent. The full transcript was sent instead.",
    ],
    [
      'CONTEXT_PRESSURE',
      "Couldn't continue turn 2: 170,000 of 200,000 tokens are in use and the limit is 80%. The full transcript was sent instead.",
    ],
  ])('[CNV-5.1] %s reads well', (reason, sentence) => {
    expect(resumeSentence(reason, values)).toBe(sentence);
  });

  it.each<[ResumeReason, boolean, string]>([
    ['OK_CONTINUE', true, 'Continues the conversation of turn 2 once, after it stalled.'],
    [
      'UNREACHABLE',
      false,
      "Couldn't continue turn 2: the runner that holds its conversation isn't available, and no sealed copy is kept. The message is sent again instead.",
    ],
    [
      'UNREACHABLE',
      true,
      "Couldn't continue turn 2: the runner that holds its conversation isn't available, and no sealed copy is kept. Tools had run, so the turn isn't repeated automatically.",
    ],
    [
      'OUTSTANDING_TOOL',
      true,
      "Couldn't continue turn 2: its process ended in the middle of a call. Tools had run, so the turn isn't repeated automatically.",
    ],
  ])('[ENG-5.5] %s reads well for a turn that went silent (tools had run: %s)', (...row) => {
    const [reason, hasRunTools, sentence] = row;
    const silent = { ...values, turn: { continues: 2, hasRunTools }, isContinuation: true };
    expect(resumeSentence(reason, silent)).toBe(sentence);
  });

  it('[CNV-5.1] names the session of the chain where no turn came before', () => {
    expect(resumeSentence('OK_RESUME', { ...values, turn: { continues: null } })).toBe(
      'Continues the conversation of Session #44.',
    );
  });

  it.each(GUARD_ROWS.map(([, reason]) => reason))(
    '[CNV-5.1] %s says that the whole transcript was sent, and speaks of no handoff',
    (reason) => {
      const sentence = resumeSentence(reason, values);
      expect(sentence).toMatch(/^[A-Z].*\. The full transcript was sent instead\.$/);
      expect(sentence).not.toMatch(/undefined|null|NaN|handoff|hands off|[Tt]ier/);
    },
  );

  it.each(RESUME_REASONS)('%s has a sentence', (reason) => {
    const sentence = resumeSentence(reason, values);
    expect(sentence).toMatch(/^[A-Z].*\.$/);
    expect(sentence).not.toMatch(/undefined|null|NaN/);
  });
});
