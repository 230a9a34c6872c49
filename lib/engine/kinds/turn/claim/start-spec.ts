import { AGENTS } from '@/lib/agents/registry';
import { budgetLeftUsd } from '@/lib/engine/budget';
import type { StartDecision } from '@/lib/engine/continuation/schema';
import { startContinuation } from '@/lib/engine/continuation/start';
import { askPrompts } from '@/lib/engine/prompts/ask-prompt';
import { evaluatedAgent } from '@/lib/fleet/posture';
import type { AskAgent } from '@/lib/projects/ask-agents';
import { askFirstDenials } from '@/lib/projects/rules/ask-first-denials';
import { commandPolicy, commandSecrets } from '@/lib/projects/rules/command-policy';
import { expandDenials, expandRules } from '@/lib/projects/rules/placeholders';
import { startIsolation } from '@/lib/protocol/confinement';
import type { StartSpec } from '@/lib/protocol/spec';
import { renderTranscript } from '../transcript';
import type { TurnFacts } from './facts';

/** How long a question of the agent waits for a person, in seconds. */
const QUESTION_WAIT_SECONDS = 600;

/** Builds the start for a decision, with the tools and rules of tier 1 and no others. */
export function buildTurnStart(
  decision: StartDecision,
  agent: AskAgent,
  facts: TurnFacts,
): StartSpec {
  const { turn, session, live, project, chain, spending } = facts;
  const [observe] = live.tiers;
  const carried = startContinuation(decision, {
    handoffContext: null,
    transcript: renderTranscript(facts.transcript),
  });
  // Nobody is asked on behalf of a conversation.
  const denied = [
    ...observe.disallowedTools,
    ...askFirstDenials(observe.askFirstTools, observe.allowedTools, live.services),
  ];
  const disallowedRules = expandDenials(denied);
  const prompts = askPrompts({
    project: project.name,
    chain: chain ? `#${chain.number}` : null,
    services: live.services,
    toolNames: AGENTS[agent.harness].toolNames,
    tools: observe.tools,
    allowedRules: observe.allowedTools,
    disallowedRules,
    askFirstRules: [],
    instructions: live.instructions,
    keepsNotes: live.checkpoints.enabled,
    isContinuation: facts.isContinuation,
    isResumed: decision.mode === 'resume',
    message: turn.message,
    transcript: carried.transcript,
  });
  const { enabled, promptInterval, timeIntervalMs, recoveryBudgetChars } = live.checkpoints;
  return {
    harness: agent.harness,
    tier: 1,
    purpose: 'ask',
    model: session.model,
    cliSessionId: decision.newCliSessionId,
    continuation: carried.continuation,
    ...prompts,
    tools: observe.tools,
    allowedRules: expandRules(observe.allowedTools, live.services),
    disallowedRules,
    isolation: startIsolation(live.isolation),
    commands: commandPolicy(
      { allowed: observe.allowedTools, denied, askFirst: [] },
      live.services,
      commandSecrets(live.secrets, 1),
    ),
    reportSchema: null,
    questionWaitSeconds:
      AGENTS[agent.harness].toolNames.ask === null ? null : QUESTION_WAIT_SECONDS,
    limits: {
      // A person may take a while to answer, so the stall timeout is suspended.
      timeoutSeconds: observe.timeoutSeconds + QUESTION_WAIT_SECONDS,
      stallSeconds: observe.stallSeconds,
      maxTurns: observe.maxTurns,
      maxBudgetUsd: budgetLeftUsd(observe.maxBudgetUsd, spending, {
        ...live.budgets,
        chainUsd: null,
      }),
    },
    writesHandoffFile: false,
    agent: evaluatedAgent(facts.runner.posture, agent.harness),
    checkpoints: enabled
      ? { project: project.name, promptInterval, timeIntervalMs, recoveryBudgetChars }
      : null,
    recovery: null,
  };
}
