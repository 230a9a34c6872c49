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
    pointer: pointerOf(attempt, facts),
    runtime: runtimeOf(facts, now),
    policy: policyOf(facts, installation),
  };
}

function requestOf(attempt: AttemptRow, facts: ClaimFacts, now: Date): ResumeRequest {
  const { chain, session, frozen } = facts;
  const tier = session.tier as Tier;
  const purpose = purposeOf(attempt, facts);
  return {
    purpose,
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
    hasContinued: facts.hasContinued,
    carrier: 'handoff',
    ...(purpose === 'continue' ? ownSource(tier) : parentSource(facts, tier)),
    // Judged when the attempt before ended, and again here: its last events may have come since.
    earlierAttempt: facts.earlierCalls && earlierAttemptOf(facts.earlierCalls),
    epoch: epochOf(chain.projectVersion),
    historyEpoch: null,
    waitLeftMs: attempt.waitUntil ? Math.max(0, attempt.waitUntil.getTime() - now.getTime()) : 0,
  };
}

type FromSource = Pick<ResumeRequest, 'forceFresh' | 'edgeMode' | 'source'>;

/** What steps between tiers are told does not concern a session's own conversation. */
function ownSource(tier: Tier): FromSource {
  const source = { tier, isHead: true, hasEnded: true, hasCarrier: false };
  return { forceFresh: false, edgeMode: 'resume', source };
}

function parentSource({ chain, frozen, parent, handoff }: ClaimFacts, tier: Tier): FromSource {
  const { tier1To2, tier2To3 } = frozen.continuation;
  return {
    forceFresh: chain.isForceFresh,
    edgeMode: tier === 3 ? tier2To3 : tier1To2,
    source: parent && {
      tier: parent.tier as Tier,
      isHead: true,
      hasEnded: parent.endedAt !== null,
      hasCarrier: handoff !== null,
    },
  };
}

function purposeOf(attempt: AttemptRow, { chain, parent }: ClaimFacts): ResumeRequest['purpose'] {
  if (attempt.purpose === 'reconcile' || attempt.purpose === 'continue') return attempt.purpose;
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

function pointerOf(
  { purpose }: AttemptRow,
  { pointer, parent, session, chain }: ClaimFacts,
): Pointer | null {
  const held = purpose === 'continue' ? session : parent;
  if (!pointer || !held) return null;
  return storedPointer(pointer, {
    chainId: chain.id,
    tier: held.tier as Tier,
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
