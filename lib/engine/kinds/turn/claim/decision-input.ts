import { createHash } from 'node:crypto';
import { v4 as uuidv4 } from 'uuid';
import type { AttemptRow } from '@/lib/engine/attempt/data';
import type { Pointer } from '@/lib/engine/continuation/schema';
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
import { missingIsolation } from '@/lib/engine/hosts/pool-hosts';
import { canAskOf } from '@/lib/fleet/capabilities';
import { type AskAgent, agentsOf } from '@/lib/projects/ask-agents';
import { expandDenials, expandRules } from '@/lib/projects/rules/placeholders';
import type { ProjectConfig } from '@/lib/projects/schema';
import { tierSchema } from '@/lib/protocol/spec';
import { leavesConversation } from '../data';
import type { TurnFacts } from './facts';

/** Returns the input of the resume decision, from the stored rows. */
export function decisionInput(
  attempt: AttemptRow,
  facts: TurnFacts,
  installation: InstallationPolicy,
  now: Date,
): ResumeInput {
  const { turn, session, conversation, live, organization, windows, isContinuation } = facts;
  const agent = agentOf(facts);
  // A runner that can't run turns isn't waited for.
  const owner = canAskOf(facts.owner?.capabilities) ? facts.owner : null;
  const harness = agent?.harness ?? live.harness;
  const window =
    live.tiers[0].contextWindow ??
    windows.find(({ model }) => model === session.model)?.windowTokens;
  return {
    request: {
      purpose: isContinuation ? 'continue' : 'follow_up',
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
      hasContinued: facts.hasContinued,
      carrier: 'transcript',
      ...(isContinuation ? ownSource(tierSchema.parse(session.tier)) : parentSource(facts)),
      // A turn only observes, so nothing but its own conversation depends on earlier calls.
      earlierAttempt:
        isContinuation && facts.earlierCalls ? earlierAttemptOf(facts.earlierCalls) : null,
      epoch: configuredInputs(live),
      historyEpoch: turn.epoch,
      waitLeftMs: attempt.waitUntil ? Math.max(0, attempt.waitUntil.getTime() - now.getTime()) : 0,
    },
    pointer: pointerOf(facts),
    runtime: {
      ...hostRuntime({ ...facts, owner, harness, contextWindow: window ?? null }, now),
      canOwnerConfine: !owner || missingIsolation([live], owner) === null,
    },
    policy: {
      ...resumePolicy({ config: live, harness, organization, windows }, installation),
      maxDepth: MAX_TURNS_RESUMED,
    },
  };
}

function parentSource({ turn, parent }: TurnFacts): FromSource {
  return {
    forceFresh: turn.isForcedFresh,
    edgeMode: 'resume',
    source: parent && {
      tier: tierSchema.parse(parent.tier),
      hasEnded: parent.endedAt !== null,
      hasCarrier: true,
    },
  };
}

/** Returns the turn's agent; null if the project offers it no longer. */
export function agentOf({ turn, live }: Pick<TurnFacts, 'turn' | 'live'>): AskAgent | null {
  return agentsOf(live).find(({ name }) => name === turn.agent) ?? null;
}

/** Returns why a turn must not start at all, for people to read. */
export function denial({ turn }: Pick<TurnFacts, 'turn'>, agent: AskAgent | null): string | null {
  if (turn.cutAt) return 'it has been removed from the history';
  return agent ? null : `this project no longer has an agent named ${turn.agent}`;
}

function pointerOf(facts: TurnFacts): Pointer | null {
  const { pointer, parent, previous, chain, held, isContinuation } = facts;
  if (!pointer || !parent) return null;
  // What a turn left that went silent is for its own continuation only.
  if (!isContinuation && previous && !leavesConversation(previous)) return null;
  return storedPointer(
    { ...facts, pointer },
    {
      chainId: previous ? null : (chain?.id ?? null),
      tier: tierSchema.parse(parent.tier),
      agent: previous?.agent ?? null,
      epoch: held ? configuredInputs(held) : 'unknown',
      historyEpoch: previous?.epoch ?? null,
    },
  );
}

/**
 * How many turns are resumed in a row. Every turn forks its predecessor, so a conversation is as
 * deep as it has turns; after this many, the next one starts from the transcript and the count
 * restarts.
 */
export const MAX_TURNS_RESUMED = 200;

/**
 * Returns a hash of the configuration that shapes a conversation: what the agent is instructed to
 * do and may use. It covers the inputs and not the rendered text, so that a date or a name changes
 * nothing, and neither does a setting that concerns other tiers.
 */
function configuredInputs(config: ProjectConfig): string {
  const [observe] = config.tiers;
  const inputs = [
    config.instructions,
    config.isolation,
    sorted(observe.tools),
    sorted(expandRules(observe.allowedTools, config.services)),
    sorted(expandDenials(observe.disallowedTools)),
    sorted(config.services.map(({ name }) => name)),
    sorted(config.secrets.filter(({ tiers }) => tiers.includes(1)).map(({ name }) => name)),
  ];
  return createHash('sha256').update(JSON.stringify(inputs)).digest('hex').slice(0, 16);
}

function sorted(words: readonly string[]): string[] {
  return words.toSorted();
}
