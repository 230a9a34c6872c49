/** A start, a host and a policy that pass every guard, and how a row of a table differs. */
import { contextUse } from '@/lib/engine/continuation/decide';
import type { Guard, GuardOutcome } from '@/lib/engine/continuation/guards/guard';
import {
  DEFAULT_RESUME_POLICY,
  type Pointer,
  type ResumePolicy,
  type ResumeRequest,
  type Runtime,
} from '@/lib/engine/continuation/schema';

export const RUNTIME: Runtime = {
  runnerId: 'eu-1',
  isOwnerReachable: true,
  isOwnerProven: true,
  canOwnerConfine: true,
  isOwnerSealing: true,
  canOpenSeals: true,
  ownerCliVersion: '2.1.197',
  canResume: true,
  fingerprint: 'abc',
  cliVersion: '2.1.197',
  authPrincipal: 'key-1',
  contextWindow: 200_000,
};

export const POLICY: ResumePolicy = {
  ...DEFAULT_RESUME_POLICY,
  smallestWindow: 200_000,
  provenEdges: [
    ['haiku', 'sonnet'],
    ['sonnet', 'opus'],
  ],
};

export interface Change {
  request?: Partial<ResumeRequest>;
  pointer?: Partial<Pointer> | null;
  runtime?: Partial<Runtime>;
  policy?: Partial<ResumePolicy>;
}

/** When the decisions about tiers are made. */
export const DECIDED_AT = new Date('2026-11-21T14:00:00Z');

/** The escalation of tier 1 to tier 2, with a pointer that every guard lets through. */
export const TIER_REQUEST: ResumeRequest = {
  purpose: 'escalate',
  organizationId: 'organization-a',
  projectId: 'project-a',
  chainId: 'chain-12',
  tier: 2,
  agent: null,
  harness: 'claude',
  model: 'sonnet',
  newCliSessionId: '0b8c5f0e-6a3f-4a7e-9d2b-5d1c3e4f5a6b',
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
  waitLeftMs: 5_000,
};

export const TIER_POINTER: Pointer = {
  organizationId: 'organization-a',
  projectId: 'project-a',
  chainId: 'chain-12',
  tier: 1,
  agent: null,
  harness: 'claude',
  model: 'claude-haiku-4-5-20251001',
  cliSessionId: 'f1647ee4-3c3c-4f0a-8a56-6a2d8f1b9c0d',
  isConfirmed: true,
  retiredFor: null,
  failures: 0,
  depth: 0,
  runnerId: 'eu-1',
  fingerprint: 'abc',
  cliVersion: '2.1.197',
  authPrincipal: 'key-1',
  workDirInode: '8:1',
  epoch: 'v14',
  historyEpoch: null,
  transcript: { bytes: 40_000, sha256: 'h1' },
  isTainted: false,
  seal: null,
  isSealRefused: false,
  contextTokens: 15_000,
  cumulativeTokens: 48_000,
  createdAt: new Date('2026-11-21T13:59:58Z'),
};

/** What one guard says about a start of a tier, whatever the guards before it would have said. */
export function checkGuard(
  guards: readonly Guard[],
  id: string,
  change: Change = {},
  now = DECIDED_AT,
): GuardOutcome {
  const guard = guards.find((one) => one.id === id);
  if (!guard) throw new Error(`There is no guard ${id}.`);
  const request = { ...TIER_REQUEST, ...change.request };
  const pointer = change.pointer === null ? null : { ...TIER_POINTER, ...change.pointer };
  const runtime = { ...RUNTIME, ...change.runtime };
  const policy = { ...POLICY, ...change.policy };
  const context = contextUse(pointer, runtime, policy);
  return guard.check({ request, pointer, runtime, policy, now, context });
}
