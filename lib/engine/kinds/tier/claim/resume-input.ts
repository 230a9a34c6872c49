import { v4 as uuidv4 } from 'uuid';
import type { AttemptRow } from '@/lib/engine/attempt/data';
import type {
  Pointer,
  ResumePolicy,
  ResumeRequest,
  Runtime,
} from '@/lib/engine/continuation/schema';
import {
  hostRuntime,
  type InstallationPolicy,
  type ResumeInput,
  resumePolicy,
  storedPointer,
} from '@/lib/engine/continuation/stored-input';
import { earlierAttemptOf } from '@/lib/engine/continuation/tool-calls';
import type { Tier } from '@/lib/protocol/spec';
import type { ClaimFacts } from './facts';

/** The stored rows in the words of the resume decision. */
export function resumeInput(
  attempt: AttemptRow,
  facts: ClaimFacts,
  installation: InstallationPolicy,
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
    // Judged when the attempt before ended, and again here: its last events may have come since.
    earlierAttempt: facts.earlierCalls && earlierAttemptOf(facts.earlierCalls),
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

function runtimeOf(facts: ClaimFacts, now: Date): Runtime {
  const { frozen, session, windows } = facts;
  const policy = frozen.tiers[session.tier - 1];
  const learned = windows.find((window) => window.model === session.model);
  const contextWindow = policy?.contextWindow ?? learned?.windowTokens ?? null;
  return hostRuntime({ ...facts, harness: frozen.harness, contextWindow }, now);
}

function policyOf(
  { frozen, windows, organization }: ClaimFacts,
  installation: InstallationPolicy,
): ResumePolicy {
  const { harness } = frozen;
  return resumePolicy({ config: frozen, harness, organization, windows }, installation);
}
