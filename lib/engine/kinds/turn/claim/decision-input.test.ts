import { describe, expect, it } from 'vitest';
import type { Conversation, Session } from '@/generated/prisma/client';
import {
  ATTEMPT,
  CLAIMED_AT,
  POINTER,
  RUNNER,
  type TurnChange,
  turnFacts,
} from '@/tests/support/claim-facts';
import { CONFIG } from '@/tests/support/settlement-facts';
import { agentOf, decisionInput, denial, MAX_TURNS_RESUMED } from './decision-input';

const INSTALLATION = { resumeContextThreshold: null, deniedCliVersions: [] };
const PARENT = { id: 'session-19', tier: 1, endedAt: CLAIMED_AT } as unknown as Session;
const PREVIOUS = { agent: 'claude', epoch: 2, position: 1, answer: 'It is.' } as const;
const SECOND: TurnChange = {
  parent: PARENT,
  pointer: POINTER,
  owner: RUNNER,
  previous: PREVIOUS as unknown as NonNullable<TurnChange['previous']>,
  held: CONFIG,
  turn: { epoch: 2 },
};

function input(change: TurnChange = {}, attempt: Partial<typeof ATTEMPT> = {}) {
  const facts = turnFacts(change);
  return decisionInput(
    { ...ATTEMPT, sessionKind: 'ask', ...attempt },
    facts,
    INSTALLATION,
    CLAIMED_AT,
  );
}

describe('the request of a turn', () => {
  it('follows up as its agent, with the rights of tier 1', () => {
    expect(input(SECOND).request).toMatchObject({
      purpose: 'follow_up',
      chainId: null,
      agent: 'claude',
      tier: 1,
      harness: 'claude',
      model: 'haiku',
      deniedBecause: null,
      carrier: 'transcript',
      forceFresh: false,
      edgeMode: 'resume',
      source: { tier: 1, hasEnded: true, hasCarrier: true },
      earlierAttempt: null,
      historyEpoch: 2,
      waitLeftMs: 0,
    });
  });

  it('has no predecessor in a first turn about the project', () => {
    expect(input()).toMatchObject({ request: { source: null }, pointer: null });
  });

  it('is its own predecessor where it continues after it went silent', () => {
    const { request } = input({ ...SECOND, isContinuation: true, earlierCalls: [] }, { number: 2 });
    expect(request).toMatchObject({
      purpose: 'continue',
      source: { tier: 1, hasCarrier: false },
    });
    expect(request.earlierAttempt).not.toBeNull();
    expect(input({ ...SECOND, earlierCalls: [] }).request.earlierAttempt).toBeNull();
  });

  it.each([
    ['was asked to start again', { turn: { isForcedFresh: true } }, { forceFresh: true }],
    [
      'was taken out',
      { turn: { cutAt: CLAIMED_AT } },
      { deniedBecause: 'it has been removed from the history' },
    ],
    [
      'has an agent no more',
      { turn: { agent: 'gone' } },
      { deniedBecause: 'this project no longer has an agent named gone' },
    ],
    [
      'is about a chain',
      { conversation: { chainId: 'chain-12' } as unknown as Conversation },
      { chainId: 'chain-12' },
    ],
  ] as const)('%s', (_title, change, request) => {
    expect(input(change as TurnChange).request).toMatchObject(request);
  });

  it.each([
    ['transcript', true],
    [null, false],
  ])('has fallen back where it was queued for a %s only', (onlyMode, hasFallenBack) => {
    expect(input(SECOND, { onlyMode }).request.hasFallenBack).toBe(hasFallenBack);
  });
});

describe('the epoch of a turn', () => {
  const epoch = (live: TurnChange['live']) => input({ ...SECOND, live }).request.epoch;
  const [observe, second, third] = CONFIG.tiers;
  const withTier1 = (change: Partial<typeof observe>) => {
    return { tiers: [{ ...observe, ...change }, second, third] as typeof CONFIG.tiers };
  };
  const same = epoch({});

  it.each([
    ['instructions', { instructions: 'Be brief.' }],
    ['tools', withTier1({ tools: ['Read'] })],
    ['allowed rules', withTier1({ allowedTools: ['Bash(uptime)'] })],
    ['denied rules', withTier1({ disallowedTools: ['Bash(helm:*)'] })],
    ['services', { services: [{ name: 'db', checks: [] }] }],
  ])('changes with the %s', (_title, live) => {
    expect(epoch(live)).not.toBe(same);
  });

  it.each([
    ['a limit', withTier1({ maxTurns: 3 })],
    ['the order of rules', withTier1({ allowedTools: observe.allowedTools.toReversed() })],
    ['another tier', { tiers: [observe, { ...second, tools: [] }, third] as typeof CONFIG.tiers }],
    ['the schedule', { schedule: { kind: 'manual', timeZone: 'UTC' } as const }],
  ])('stays with %s', (_title, live) => {
    expect(epoch(live)).toBe(same);
  });
});

describe('the pointer of a turn', () => {
  it('has the agent and the epochs of the turn before it', () => {
    const { pointer, request } = input(SECOND);
    expect(pointer).toMatchObject({ chainId: null, agent: 'claude', tier: 1, historyEpoch: 2 });
    expect(pointer?.epoch).toBe(request.epoch);
  });

  it("is that of the chain's newest session in a first turn about a chain", () => {
    const chain = { id: 'chain-12', number: 12 } as TurnChange['chain'] & object;
    const change = { ...SECOND, previous: null, chain };
    expect(input(change).pointer).toMatchObject({ chainId: 'chain-12', agent: null });
  });

  it('is unknown in its epoch where its configuration is gone', () => {
    expect(input({ ...SECOND, held: null }).pointer?.epoch).toBe('unknown');
  });

  it.each([
    ['nothing was held', { pointer: null }],
    ['there is no predecessor', { parent: null }],
    [
      'the turn before it went silent',
      { previous: { ...PREVIOUS, answer: null } as unknown as NonNullable<TurnChange['previous']> },
    ],
  ])('is null where %s', (_title, change) => {
    expect(input({ ...SECOND, ...change }).pointer).toBeNull();
  });

  it('is kept for the continuation of a turn that went silent', () => {
    const previous = { ...PREVIOUS, answer: null } as unknown as NonNullable<
      TurnChange['previous']
    >;
    expect(input({ ...SECOND, previous, isContinuation: true }).pointer).not.toBeNull();
  });
});

describe('the host of a turn', () => {
  it('is not waited for where its runner cannot run turns', () => {
    const old = { ...RUNNER, capabilities: { ...(RUNNER.capabilities as object), canAsk: false } };
    expect(input({ ...SECOND, owner: old }).runtime.isOwnerReachable).toBe(false);
    expect(input(SECOND).runtime.isOwnerReachable).toBe(true);
  });

  it('has the window that is set for tier 1, or was learned', () => {
    const learned = { model: 'haiku', windowTokens: 250_000 } as never;
    const [observe, second, third] = CONFIG.tiers;
    const tiers = [{ ...observe, contextWindow: 100_000 }, second, third] as typeof CONFIG.tiers;
    expect(input().runtime.contextWindow).toBeNull();
    expect(input({ windows: [learned] }).runtime.contextWindow).toBe(250_000);
    expect(input({ windows: [learned], live: { tiers } }).runtime.contextWindow).toBe(100_000);
  });

  it('resumes as many turns in a row as a conversation may have', () => {
    expect(input().policy.maxDepth).toBe(MAX_TURNS_RESUMED);
  });
});

it('agentOf and denial agree on an agent that is gone', () => {
  const facts = turnFacts({ turn: { agent: 'gone' } });
  expect(agentOf(facts)).toBeNull();
  expect(denial(facts, null)).toContain('gone');
  expect(denial(turnFacts(), agentOf(turnFacts()))).toBeNull();
});
