import { v4 as uuidv4 } from 'uuid';
import { isFallbackEnd } from '@/lib/engine/continuation/fallbacks';
import {
  DEFAULT_RESUME_POLICY,
  type Pointer,
  type ResumePolicy,
  type ResumeRequest,
  type RetiredFor,
  type Runtime,
} from '@/lib/engine/continuation/schema';
import type { HarnessName, Tier, Transcript } from '@/lib/protocol/spec';
import type { AttemptRow } from '../data';
import type { ClaimFacts } from './facts';
import { accountOf, canResumeOf, cliVersionOf, fingerprintOf } from './posture';

/** A runner that was heard of within this time can be waited for. */
export const REACHABLE_SECONDS = 60;

export interface ResumeInput {
  request: ResumeRequest;
  pointer: Pointer | null;
  runtime: Runtime;
  policy: ResumePolicy;
}

/** The stored rows in the words of the resume decision. */
export function resumeInput(
  attempt: AttemptRow,
  facts: ClaimFacts,
  installation: { resumeContextThreshold: number | null },
  now: Date,
): ResumeInput {
  return {
    request: requestOf(attempt, facts, now),
    pointer: pointerOf(facts),
    runtime: runtimeOf(facts, now),
    policy: policyOf(facts, installation),
  };
}

function requestOf(attempt: AttemptRow, facts: ClaimFacts, now: Date): ResumeRequest {
  const { chain, session, parent, frozen, handoff } = facts;
  const tier = session.tier as Tier;
  return {
    purpose: purposeOf(attempt, facts),
    organizationId: attempt.organizationId,
    projectId: session.projectId,
    chainId: chain.id,
    tier,
    agent: null,
    harness: frozen.harness,
    model: session.model,
    newCliSessionId: uuidv4(),
    deniedBecause: denial(facts),
    attemptNumber: attempt.number,
    hasFallenBack: attempt.onlyMode === 'handoff',
    forceFresh: chain.isForceFresh,
    edgeMode: tier === 3 ? frozen.continuation.tier2To3 : frozen.continuation.tier1To2,
    carrier: 'handoff',
    source: parent
      ? {
          tier: parent.tier as Tier,
          isHead: true,
          hasEnded: parent.endedAt !== null,
          hasCarrier: handoff !== null,
        }
      : null,
    // What an earlier attempt changed was judged when it ended; a retry exists only where that allowed one.
    earlierAttempt: null,
    epoch: epochOf(chain.projectVersion),
    historyEpoch: null,
    waitLeftMs: attempt.waitUntil ? Math.max(0, attempt.waitUntil.getTime() - now.getTime()) : 0,
  };
}

function purposeOf(attempt: AttemptRow, { chain, parent }: ClaimFacts): ResumeRequest['purpose'] {
  if (attempt.purpose === 'reconcile') return 'reconcile';
  if (attempt.number > 1 && !parent) return 'retry';
  if (parent) return attempt.number > 1 ? 'retry' : 'escalate';
  return chain.trigger === 'schedule' ? 'cycle' : 'manual';
}

/** The stricter of what the chain froze and what holds now. */
export function denial({ live, frozen, session }: ClaimFacts): string | null {
  const { tier } = session;
  const maximum = Math.min(live.maxTier, frozen.maxTier);
  if (tier > maximum) return `tier ${tier} is above the maximum, which is tier ${maximum} now`;
  if (tier > 1 && !live.tiers[tier - 1]?.isEnabled) return `tier ${tier} was switched off`;
  return null;
}

/** The configuration in which a conversation is held. A chain freezes it, so inside one it stays. */
export function epochOf(projectVersion: number): string {
  return `v${projectVersion}`;
}

function retiredFor(reason: string | null): RetiredFor {
  return reason !== null && isFallbackEnd(reason) ? reason : 'other';
}

function pointerOf({ pointer, parent, chain }: ClaimFacts): Pointer | null {
  if (!pointer || !parent) return null;
  return storedPointer(pointer, {
    chainId: chain.id,
    tier: parent.tier as Tier,
    agent: null,
    epoch: epochOf(pointer.projectVersion),
    historyEpoch: null,
  });
}

function transcriptOf({
  transcriptBytes,
  transcriptSha256,
}: NonNullable<ClaimFacts['pointer']>): Transcript | null {
  if (transcriptBytes === null || transcriptSha256 === null) return null;
  return { bytes: transcriptBytes, sha256: transcriptSha256 };
}

/** A stored row, and whose conversation it is. */
export function storedPointer(
  pointer: NonNullable<ClaimFacts['pointer']>,
  of: Pick<Pointer, 'chainId' | 'tier' | 'agent' | 'epoch' | 'historyEpoch'>,
): Pointer {
  return {
    ...of,
    organizationId: pointer.organizationId,
    projectId: pointer.projectId,
    harness: pointer.harness === 'demo' ? 'demo' : 'claude',
    model: pointer.model,
    cliSessionId: pointer.cliSessionId,
    isConfirmed:
      pointer.state === 'confirmed' || (pointer.state === 'retired' && pointer.cliSessionId !== ''),
    retiredFor: pointer.state === 'retired' ? retiredFor(pointer.retiredReason) : null,
    failures: pointer.failures,
    depth: pointer.depth,
    runnerId: pointer.runnerId,
    fingerprint: pointer.fingerprint,
    cliVersion: pointer.cliVersion,
    authPrincipal: pointer.account,
    workDirInode: pointer.workDirInode,
    transcript: transcriptOf(pointer),
    contextTokens: pointer.contextTokens,
    cumulativeTokens: pointer.cumulativeTokens,
    createdAt: pointer.createdAt,
  };
}

function runtimeOf(facts: ClaimFacts, now: Date): Runtime {
  const { frozen, session, windows } = facts;
  const policy = frozen.tiers[session.tier - 1];
  const learned = windows.find((window) => window.model === session.model);
  const contextWindow = policy?.contextWindow ?? learned?.windowTokens ?? null;
  return hostRuntime({ ...facts, harness: frozen.harness, contextWindow }, now);
}

/** `owner`: the host that holds the conversation. */
export function hostRuntime(
  {
    runner,
    owner,
    harness,
    contextWindow,
  }: Pick<ClaimFacts, 'runner' | 'owner'> & {
    harness: HarnessName;
    contextWindow: number | null;
  },
  now: Date,
): Runtime {
  return {
    runnerId: runner.id,
    isOwnerReachable: isReachable(owner, now),
    canResume: canResumeOf(runner.posture, harness),
    fingerprint: fingerprintOf(runner.posture, harness),
    cliVersion: cliVersionOf(runner.posture, harness),
    authPrincipal: accountOf(runner.posture, harness),
    contextWindow,
  };
}

export function isReachable(
  runner: {
    lastSeenAt: Date | null;
    revokedAt: Date | null;
    drainingAt: Date | null;
    pausedAt: Date | null;
  } | null,
  now: Date,
): boolean {
  if (!runner?.lastSeenAt || runner.revokedAt || runner.drainingAt || runner.pausedAt) return false;
  return now.getTime() - runner.lastSeenAt.getTime() <= REACHABLE_SECONDS * 1_000;
}

function policyOf(
  { frozen, windows }: ClaimFacts,
  installation: { resumeContextThreshold: number | null },
): ResumePolicy {
  return resumePolicy({ contextThreshold: frozen.contextThreshold, windows }, installation);
}

/** `windows`: those that are known of the host's agents. */
export function resumePolicy(
  { contextThreshold, windows }: Pick<ClaimFacts, 'windows'> & { contextThreshold: number },
  installation: { resumeContextThreshold: number | null },
): ResumePolicy {
  const known = windows.map((window) => window.windowTokens);
  return {
    ...DEFAULT_RESUME_POLICY,
    threshold:
      installation.resumeContextThreshold === null
        ? { share: contextThreshold, source: 'project' }
        : { share: installation.resumeContextThreshold, source: 'installation' },
    smallestWindow: known.length > 0 ? Math.min(...known) : DEFAULT_RESUME_POLICY.smallestWindow,
  };
}
