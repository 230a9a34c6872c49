import { v4 as uuidv4 } from 'uuid';
import type { AttemptRow } from '@/lib/engine/attempt/data';
import {
  continuesItself,
  type Pointer,
  type ResumePolicy,
  type ResumeRequest,
  type Runtime,
} from '@/lib/engine/continuation/schema';
import {
  type FromSource,
  hostRuntime,
  type InstallationPolicy,
  ownSource,
  type ResumeInput,
  resumePolicy,
  storedPointer,
} from '@/lib/engine/continuation/stored-input';
import { earlierAttemptOf } from '@/lib/engine/continuation/tool-calls';
import { missingIsolation, strictest, unprovenFact } from '@/lib/engine/hosts/pool-hosts';
import { chainTriggerSchema } from '@/lib/engine/statuses';
import { TRIGGERS } from '@/lib/engine/triggers';
import { type Tier, tierSchema } from '@/lib/protocol/spec';
import type { ClaimFacts } from './facts';

/** Returns the input of the resume decision, from the stored rows. */
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
  const { chain, session, frozen } = facts;
  const tier = tierSchema.parse(session.tier);
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
    // The start policy has already evaluated what keeps a tier from starting.
    deniedBecause: null,
    // Continuing after a decision uses up no attempt.
    attemptNumber: attempt.number - facts.waits,
    hasFallenBack: attempt.onlyMode === 'handoff',
    hasContinued: facts.hasContinued,
    carrier: 'handoff',
    ...(continuesItself(purpose) ? ownSource(tier) : parentSource(facts, tier)),
    // Evaluated when the attempt before ended, and again here: its last events may have arrived
    // since.
    earlierAttempt: facts.earlierCalls && earlierAttemptOf(facts.earlierCalls),
    epoch: epochOf(chain.projectVersion),
    historyEpoch: null,
    waitLeftMs: attempt.waitUntil ? Math.max(0, attempt.waitUntil.getTime() - now.getTime()) : 0,
  };
}

function parentSource({ chain, frozen, parent, handoff }: ClaimFacts, tier: Tier): FromSource {
  const { tier1To2, tier2To3 } = frozen.continuation;
  return {
    forceFresh: chain.isForceFresh,
    edgeMode: tier === 3 ? tier2To3 : tier1To2,
    source: parent && {
      tier: tierSchema.parse(parent.tier),
      hasEnded: parent.endedAt !== null,
      hasCarrier: handoff !== null,
    },
  };
}

function purposeOf(attempt: AttemptRow, { chain, parent }: ClaimFacts): ResumeRequest['purpose'] {
  const { purpose } = attempt;
  if (purpose === 'reconcile' || purpose === 'continue' || purpose === 'approval') return purpose;
  if (attempt.number > 1 && !parent) return 'retry';
  if (parent) return attempt.number > 1 ? 'retry' : 'escalate';
  return TRIGGERS[chainTriggerSchema.parse(chain.trigger)].purpose;
}

/**
 * Returns the epoch of the configuration in which a conversation is held. A chain freezes its
 * configuration, so the epoch stays the same inside one.
 */
function epochOf(projectVersion: number): string {
  return `v${projectVersion}`;
}

function pointerOf({ pointer, parent, chain, ...held }: ClaimFacts): Pointer | null {
  if (!pointer || !parent) return null;
  return storedPointer(
    { ...held, pointer },
    {
      chainId: chain.id,
      tier: tierSchema.parse(parent.tier),
      agent: null,
      epoch: epochOf(pointer.projectVersion),
      historyEpoch: null,
    },
  );
}

function runtimeOf(facts: ClaimFacts, now: Date): Runtime {
  const { frozen, live, session, windows } = facts;
  const policy = frozen.tiers[session.tier - 1];
  const learned = windows.find((window) => window.model === session.model);
  const contextWindow = policy?.contextWindow ?? learned?.windowTokens ?? null;
  const { harness } = frozen;
  const { owner } = facts;
  const tier = tierSchema.parse(session.tier);
  const unproven = owner && unprovenFact(tier, strictest([frozen, live]), harness, owner);
  return {
    ...hostRuntime({ ...facts, harness, contextWindow }, now),
    isOwnerProven: !unproven || unproven.detail === null,
    canOwnerConfine: !owner || missingIsolation([frozen, live], owner) === null,
  };
}

function policyOf(
  { frozen, windows, organization }: ClaimFacts,
  installation: InstallationPolicy,
): ResumePolicy {
  const { harness } = frozen;
  return resumePolicy({ config: frozen, harness, organization, windows }, installation);
}
