import { describe, expect, it } from 'vitest';
import {
  type Change,
  checkGuard,
  DECIDED_AT,
  RUNTIME,
  TIER_POINTER,
} from '@/tests/support/resume-facts';
import type { Pointer, Runtime } from '../schema';
import { RUNTIME_GUARDS, SEAL_REASONS, type SealState, sealState } from './runtime';

const check = (id: string, change: Change) => checkGuard(RUNTIME_GUARDS, id, change);
const reasonOf = (id: string, change: Change) => check(id, change).stop?.reason ?? null;

const ELSEWHERE = { runnerId: 'eu-2' };
const HERE = { runtime: ELSEWHERE };
const OFFLINE = { isOwnerReachable: false };
const AWAY = { ...ELSEWHERE, ...OFFLINE };
const TOO_OLD = { canOpenSeals: false };
const NO_TIME = { request: { waitLeftMs: 0 } };
const REFUSED = { isSealRefused: true };
const SEAL = {
  id: 'seal-1',
  bytes: 40_000,
  sha256: 'h1',
  expiresAt: new Date('2026-11-24T14:00:00Z'),
  fault: null,
};
const SEALED = { pointer: { seal: SEAL } };
const withSeal = (change: Partial<NonNullable<Pointer['seal']>>): Change => ({
  pointer: { seal: { ...SEAL, ...change } },
  runtime: AWAY,
});
const DENIED = { deniedCliVersions: { installation: ['2.1.197'], organization: [] } };
const NOT_REPORTED = 'The runner did not report this.';

describe('[FLT-4.2] G18 continues a conversation where it is held, or from a sealed copy', () => {
  it.each<[string | null, string, Change]>([
    ['OWNER_CLI_DENYLISTED', 'a denied CLI there', { runtime: ELSEWHERE, policy: DENIED }],
    [null, 'a denied CLI here, which another guard judges', { policy: DENIED }],
    ['UNREACHABLE', 'a host that is offline', { runtime: { isOwnerReachable: false } }],
    ['ROUTE_TO_HOST', 'time to wait', { runtime: ELSEWHERE, request: { waitLeftMs: 1 } }],
    ['UNREACHABLE', 'no time to wait', { runtime: ELSEWHERE, request: { waitLeftMs: 0 } }],
    ['ROUTE_TO_HOST', 'a copy, while the host may answer', { ...SEALED, runtime: ELSEWHERE }],
    [null, 'a copy, and no time to wait', { ...SEALED, ...HERE, request: { waitLeftMs: 0 } }],
    [null, 'a copy of a host that is offline', { ...SEALED, runtime: AWAY }],
    ['SEAL_EXPECTED', 'a copy on its way', { runtime: AWAY }],
    ['UNREACHABLE', 'a copy on its way that took too long', { runtime: AWAY, ...NO_TIME }],
    ['UNREACHABLE', 'no copy', { runtime: { ...AWAY, isOwnerSealing: false } }],
    ['SEAL_REFUSED', 'a copy that was not sent', { pointer: REFUSED, runtime: AWAY }],
    ['SEAL_EXPIRED', 'a copy that has expired', withSeal({ expiresAt: new Date(0) })],
    ['SEAL_DIFFERS', 'a copy of something else', withSeal({ sha256: 'h2' })],
    ['SEAL_UNUSABLE', 'a damaged copy', withSeal({ fault: 'damaged' })],
    ['SEAL_UNSUPPORTED', 'a copy, here too old', { ...SEALED, runtime: { ...AWAY, ...TOO_OLD } }],
    ['UNREACHABLE', 'a copy of this silent host', { ...SEALED, runtime: OFFLINE }],
    [
      null,
      'a transcript of an unknown size, whatever the limit',
      { pointer: { transcript: null }, policy: { maxTranscriptBytes: 0 } },
    ],
    ['TOO_LARGE', 'a transcript over the limit', { policy: { maxTranscriptBytes: 39_999 } }],
    [null, 'a transcript of the limit', { policy: { maxTranscriptBytes: 40_000 } }],
  ])('%s: %s', (reason, _, change) => {
    expect(reasonOf('G18', change)).toBe(reason);
  });

  it.each<[Record<string, string>, Change]>([
    [{}, {}],
    [{ ownerCliVersion: NOT_REPORTED }, { runtime: { ownerCliVersion: null } }],
    [{ transcriptBytes: NOT_REPORTED }, { pointer: { transcript: null } }],
  ])('[ENG-2.2] names what is not known: %j', (unknown, change) => {
    expect(check('G18', change).unknown).toEqual(unknown);
  });
});

describe('G16 continues a conversation only with the same agent, account and program', () => {
  it.each<[string | null, string, Change]>([
    ['AGENT_CHANGED', 'another agent', { request: { harness: 'demo' } }],
    ['AUTH_CHANGED', 'another account', { runtime: { authPrincipal: 'key-2' } }],
    [null, 'an account that is not known', { runtime: { authPrincipal: null } }],
    [null, 'an account that was not known', { pointer: { authPrincipal: null } }],
    ['RUNTIME_CHANGED', 'another program', { runtime: { fingerprint: 'def' } }],
    ['RUNTIME_CHANGED', 'a program that is not known', { runtime: { fingerprint: null } }],
    ['RUNTIME_CHANGED', 'a program that was not known', { pointer: { fingerprint: null } }],
  ])('%s: %s', (reason, _, change) => {
    expect(reasonOf('G16', change)).toBe(reason);
  });

  it.each<[string | null, string | null, boolean]>([
    ['2.1.197', '2.1.330', true],
    ['2.1.330', '2.1.197', false],
    ['2.1.197', '2.1.197', false],
    ['2.1.99', '2.1.197', true],
    ['1.9.9', '2.0.0', true],
    ['2.0.9', '2.1.0', true],
    ['2.1.0', '2.0.9', false],
    ['2.1', '2.1.1', true],
    ['2.1.1', '2.1', false],
    ['2.1', '2.1.0', false],
    ['2.1.0', '2.1', false],
    ['unknown', '2.1.0', true],
    ['2.1.0', 'unknown', false],
    [null, '2.1.197', false],
    ['2.1.197', null, false],
    [null, null, false],
  ])('takes %s for older than %s: %s', (cliVersion, parentCliVersion, isOlder) => {
    const change = { runtime: { cliVersion }, pointer: { cliVersion: parentCliVersion } };
    expect(reasonOf('G16', change)).toBe(isOlder ? 'CLI_DOWNGRADE' : null);
  });

  it.each<[Record<string, string>, Change]>([
    [{}, {}],
    [{ sameAccount: NOT_REPORTED }, { runtime: { authPrincipal: null } }],
    [{ cliVersion: NOT_REPORTED }, { runtime: { cliVersion: null } }],
    [{ parentCliVersion: NOT_REPORTED }, { pointer: { cliVersion: null } }],
    [{ sameFingerprint: NOT_REPORTED }, { runtime: { fingerprint: null } }],
    [{ sameFingerprint: NOT_REPORTED }, { pointer: { fingerprint: null } }],
    [
      { sameFingerprint: NOT_REPORTED },
      { runtime: { fingerprint: null }, pointer: { fingerprint: null } },
    ],
  ])('[ENG-2.2] names what is not known: %j', (unknown, change) => {
    expect(check('G16', change).unknown).toEqual(unknown);
  });
});

const later = (ms: number) => new Date(DECIDED_AT.getTime() + ms);
const STORED_SEAL = {
  id: 'seal-1',
  bytes: 40_000,
  sha256: 'h1',
  expiresAt: later(1),
  fault: null,
};

interface Case {
  pointer?: Partial<Pointer>;
  runtime?: Partial<Runtime>;
}

it.each<[SealState, string, Case]>([
  ['usable', 'the file that the process left', {}],
  ['none', 'none, of a runner that is silent', without({ isOwnerSealing: false })],
  ['expected', 'none yet, of a runner that still answers', without({})],
  ['expected', 'the last moment of that', without({}, later(-60_000))],
  ['none', 'a runner that has had the time', without({}, later(-60_001))],
  ['refused', 'none, since its runner sends none', refused()],
  ['unusable', 'one that was damaged', { pointer: { seal: { ...STORED_SEAL, fault: 'damaged' } } }],
  [
    'expired',
    'one that has expired',
    { pointer: { seal: { ...STORED_SEAL, expiresAt: DECIDED_AT } } },
  ],
  ['differs', 'another content', { pointer: { seal: { ...STORED_SEAL, sha256: 'h2' } } }],
  ['differs', 'another size', { pointer: { seal: { ...STORED_SEAL, bytes: 40_001 } } }],
  ['differs', 'a file that was never reported', { pointer: { transcript: null } }],
  ['unsupported', 'a runner that is too old', { runtime: { canOpenSeals: false } }],
])('[FLT-4.2] %s: %s', (state, _title, { pointer, runtime }) => {
  const held = { ...TIER_POINTER, seal: STORED_SEAL, ...pointer };
  expect(sealState(held, { ...RUNTIME, ...runtime }, DECIDED_AT)).toBe(state);
});

function without(runtime: Partial<Runtime>, createdAt = TIER_POINTER.createdAt): Case {
  return { pointer: { seal: null, createdAt }, runtime };
}

function refused(): Case {
  return { pointer: { seal: null, isSealRefused: true } };
}

describe('[FLT-4.2] a copy that can’t be used', () => {
  it('has a reason of its own, unless there is none', () => {
    const { expected, none, ...own } = SEAL_REASONS;
    expect([expected, none]).toEqual(['UNREACHABLE', 'UNREACHABLE']);
    expect(new Set(Object.values(own)).size).toBe(Object.keys(own).length);
  });
});
