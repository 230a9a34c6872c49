import { v4 as uuidv4 } from 'uuid';
import type { AttemptRow } from '@/lib/engine/attempt/data';
import type { Pointer } from '@/lib/engine/continuation/schema';
import {
  hostRuntime,
  type InstallationPolicy,
  type ResumeInput,
  resumePolicy,
  storedPointer,
} from '@/lib/engine/continuation/stored-input';
import { canAskOf } from '@/lib/fleet/posture';
import { type AskAgent, agentsOf } from '@/lib/projects/ask-agents';
import { tierSchema } from '@/lib/protocol/spec';
import { configuredInputs } from './configured-inputs';
import type { TurnFacts } from './facts';

/** The stored rows in the words of the resume decision. */
export function decisionInput(
  attempt: AttemptRow,
  facts: TurnFacts,
  installation: InstallationPolicy,
  now: Date,
): ResumeInput {
  const { turn, session, conversation, live, organization, parent, windows, pointer } = facts;
  const agent = agentOf(facts);
  // One that can take no turn is not waited for.
  const owner = canAskOf(facts.owner?.posture) ? facts.owner : null;
  const harness = agent?.harness ?? (pointer?.harness === 'demo' ? 'demo' : 'claude');
  const window =
    live.tiers[0].contextWindow ??
    windows.find(({ model }) => model === session.model)?.windowTokens;
  return {
    request: {
      purpose: 'follow_up',
      organizationId: attempt.organizationId,
      projectId: session.projectId,
      chainId: conversation.chainId,
      agent: turn.agent,
      tier: 1,
      harness,
      model: session.model,
      newCliSessionId: uuidv4(),
      deniedBecause: denial(facts, agent),
      attemptNumber: attempt.number,
      hasFallenBack: attempt.onlyMode === 'transcript',
      hasContinued: false,
      forceFresh: turn.isForcedFresh,
      edgeMode: 'resume',
      carrier: 'transcript',
      source: parent && {
        tier: tierSchema.parse(parent.tier),
        // A cut takes everything after it along, so the parent is the newest by construction.
        isHead: true,
        hasEnded: parent.endedAt !== null,
        hasCarrier: true,
      },
      earlierAttempt: null,
      epoch: configuredInputs(live),
      historyEpoch: turn.epoch,
      waitLeftMs: attempt.waitUntil ? Math.max(0, attempt.waitUntil.getTime() - now.getTime()) : 0,
    },
    pointer: pointerOf(facts),
    runtime: hostRuntime({ ...facts, owner, harness, contextWindow: window ?? null }, now),
    policy: {
      ...resumePolicy({ config: live, harness, organization, windows }, installation),
      maxDepth: MAX_TURNS_RESUMED,
    },
  };
}

/** Null once the project offers it no longer. */
export function agentOf({ turn, live }: Pick<TurnFacts, 'turn' | 'live'>): AskAgent | null {
  return agentsOf(live).find(({ name }) => name === turn.agent) ?? null;
}

/** Why a turn must not start at all; a person reads it. */
export function denial({ turn }: Pick<TurnFacts, 'turn'>, agent: AskAgent | null): string | null {
  if (turn.cutAt) return 'it was taken out of the history meanwhile';
  return agent ? null : `this project has no agent named ${turn.agent} any more`;
}

function pointerOf({ pointer, parent, previous, chain, held }: TurnFacts): Pointer | null {
  if (!pointer || !parent) return null;
  return storedPointer(pointer, {
    chainId: previous ? null : (chain?.id ?? null),
    tier: tierSchema.parse(parent.tier),
    agent: previous?.agent ?? null,
    epoch: held ? configuredInputs(held) : 'unknown',
    historyEpoch: previous?.epoch ?? null,
  });
}

/**
 * Every turn forks its predecessor, so a long conversation is as deep as it has turns. After this
 * many the next one starts from the transcript, and the count begins anew.
 */
export const MAX_TURNS_RESUMED = 200;
