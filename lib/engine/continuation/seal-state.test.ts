import { describe, expect, it } from 'vitest';
import { DECIDED_AT, RUNTIME, TIER_POINTER } from '@/tests/support/resume-facts';
import type { Pointer, Runtime } from './schema';
import { SEAL_REASONS, type SealState, sealState } from './seal-state';

const later = (ms: number) => new Date(DECIDED_AT.getTime() + ms);
const SEAL = {
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
  ['unusable', 'one that was damaged', { pointer: { seal: { ...SEAL, fault: 'damaged' } } }],
  ['expired', 'one that has expired', { pointer: { seal: { ...SEAL, expiresAt: DECIDED_AT } } }],
  ['differs', 'another content', { pointer: { seal: { ...SEAL, sha256: 'h2' } } }],
  ['differs', 'another size', { pointer: { seal: { ...SEAL, bytes: 40_001 } } }],
  ['differs', 'a file that was never reported', { pointer: { transcript: null } }],
  ['unsupported', 'a runner that is too old', { runtime: { canOpenSeals: false } }],
])('[FLT-4.2] %s: %s', (state, _title, { pointer, runtime }) => {
  const held = { ...TIER_POINTER, seal: SEAL, ...pointer };
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
