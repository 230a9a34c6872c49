import { describe, expect, it } from 'vitest';
import { type Change, checkGuard, DECIDED_AT, TIER_REQUEST } from '@/tests/support/resume-facts';
import type { ResumeRequest } from '../schema';
import { POINTER_GUARDS } from './pointer';

const check = (id: string, change: Change) => checkGuard(POINTER_GUARDS, id, change);
const reasonOf = (id: string, change: Change) => check(id, change).stop?.reason ?? null;
const source = { tier: 1, hasEnded: true, hasCarrier: true } as const;
const running = { ...source, hasEnded: false };
/** A turn about a chain. */
const TURN = {
  ...TIER_REQUEST,
  purpose: 'follow_up',
  agent: 'Sonnet',
  historyEpoch: 4,
} satisfies ResumeRequest;

it.each(['G24', 'G10', 'G12', 'G14', 'G15'])('%s says nothing without a pointer', (id) => {
  expect(check(id, { pointer: null })).toEqual({ compared: {}, unknown: {}, stop: null });
});

describe('G24 lets a higher tier continue text of other systems only where the project does', () => {
  const tainted = { isTainted: true };
  const own = { tier: 1, purpose: 'continue' } as const;
  it.each<[string | null, string, Change]>([
    [null, 'a conversation that holds none', {}],
    ['TAINTED', 'one that does', { pointer: tainted }],
    ['TAINTED', 'a retry of the higher tier', { pointer: tainted, request: { purpose: 'retry' } }],
    ['TAINTED', 'tier 3 after tier 2', { pointer: { ...tainted, tier: 2 }, request: { tier: 3 } }],
    [null, 'the project resumes', { pointer: tainted, policy: { taintedConversation: 'resume' } }],
    [null, 'the same tier continues', { pointer: tainted, request: own }],
    [
      null,
      'a decision about its commands',
      { pointer: tainted, request: { ...own, purpose: 'approval' } },
    ],
    [
      null,
      'a turn about tier 2',
      { pointer: { ...tainted, tier: 2 }, request: { ...TURN, tier: 1 } },
    ],
  ])('[INC-1.4] %s: %s', (reason, _title, change) => {
    expect(reasonOf('G24', change)).toBe(reason);
  });

  it('[INC-1.4] shows what it compared', () => {
    expect(check('G24', { pointer: tainted }).compared).toEqual({
      ...{ isTainted: true, isHigher: true, taintedConversation: 'handoff' },
    });
  });
});

describe('G11 waits for the session that holds the conversation', () => {
  it.each<[string | null, Partial<ResumeRequest>]>([
    [null, { source, waitLeftMs: 0 }],
    ['OWNER_RUNNING', { source: running, waitLeftMs: 1 }],
    ['OWNER_WAIT_EXPIRED', { source: running, waitLeftMs: 0 }],
    // Nothing came before it, so there is nothing to wait for.
    [null, { source: null, waitLeftMs: 0 }],
    [null, { source: null, waitLeftMs: 1 }],
  ])('%s for %j', (reason, request) => {
    expect(reasonOf('G11', { request })).toBe(reason);
  });
});

describe('G12 continues only a conversation of the chain, one tier up', () => {
  it.each(['escalate', 'retry'] as const)('by a start of purpose %s', (purpose) => {
    const reason = (change: Change) =>
      reasonOf('G12', { ...change, request: { purpose, ...change.request } });
    expect(reason({})).toBeNull();
    expect(reason({ pointer: { chainId: 'chain-11' } })).toBe('SOURCE_NOT_IN_CHAIN');
    expect(reason({ request: { tier: 3 } })).toBe('TIER_ORDER');
    expect(reason({ request: { tier: 1 } })).toBe('TIER_ORDER');
    expect(reason({ pointer: { agent: 'Sonnet' } })).toBe('AGENT_CHANGED');
  });

  it('by its own continuation, at its own tier', () => {
    const reason = (change: Change) =>
      reasonOf('G12', { ...change, request: { purpose: 'continue', tier: 1, ...change.request } });
    expect(reason({})).toBeNull();
    expect(reason({ pointer: { chainId: 'chain-11' } })).toBe('SOURCE_NOT_IN_CHAIN');
    expect(reason({ request: { tier: 2 } })).toBe('TIER_ORDER');
  });

  it.each<[string, Change]>([
    ['of another chain', { pointer: { chainId: 'chain-11' } }],
    ['of any tier', { request: { tier: 3 } }],
  ])('but a manual start continues a conversation %s', (_, { request, pointer = {} }) => {
    expect(reasonOf('G12', { request: { purpose: 'manual', ...request }, pointer })).toBeNull();
  });
});

describe('G12 continues for a turn only its own agent, or the chain that it is about', () => {
  it.each<[string | null, string, Change]>([
    [null, 'its chain', { request: TURN }],
    ['SOURCE_NOT_IN_CHAIN', 'another chain', { request: TURN, pointer: { chainId: 'chain-11' } }],
    [
      'SOURCE_NOT_IN_CHAIN',
      'no chain on either side',
      { request: { ...TURN, chainId: null }, pointer: { chainId: null } },
    ],
    [null, 'its own turn', { request: TURN, pointer: { agent: 'Sonnet', chainId: null } }],
    ['AGENT_CHANGED', "another agent's turn", { request: TURN, pointer: { agent: 'Opus' } }],
  ])('%s: %s', (reason, _, change) => {
    expect(reasonOf('G12', change)).toBe(reason);
  });
});

it.each<[string | null, Partial<ResumeRequest>]>([
  [null, {}],
  ['FALLBACK_KEPT', { hasFallenBack: true }],
  ['FALLBACK_KEPT', { purpose: 'continue', hasFallenBack: true, hasContinued: true }],
  ['CONTINUE_SPENT', { purpose: 'continue', hasContinued: true }],
  // Another start than a continuation doesn't spend it.
  [null, { purpose: 'retry', hasContinued: true }],
])('[RES-7.2] [ENG-5.5] G13 gives %s for %j', (reason, request) => {
  expect(reasonOf('G13', { request })).toBe(reason);
});

it.each<[string | null, string, Change]>([
  [null, 'the same history', { request: TURN, pointer: { agent: 'Sonnet', historyEpoch: 4 } }],
  [
    'HISTORY_CHANGED',
    'another history',
    { request: TURN, pointer: { agent: 'Sonnet', historyEpoch: 3 } },
  ],
  [null, "a tier's conversation, which has no history", { request: TURN }],
  ['EPOCH_BASE', 'another configuration', { pointer: { epoch: 'v13' } }],
])('[CNV-2.2] G14 gives %s for %s', (reason, _, change) => {
  expect(reasonOf('G14', change)).toBe(reason);
});

it.each<[string | null, number]>([
  [null, 259_200],
  ['EXPIRED', 259_201],
  [null, -60],
  ['CLOCK_SKEW', -61],
])('G15 gives %s for a conversation of %i seconds', (reason, seconds) => {
  const createdAt = new Date(DECIDED_AT.getTime() - seconds * 1_000);
  expect(check('G15', { pointer: { createdAt } }).stop).toEqual(
    reason && { to: 'carry', reason, retires: true },
  );
});
