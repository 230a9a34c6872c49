import { AGENTS } from '@/lib/agents/registry';
import type { AttemptRow } from '@/lib/engine/attempt/data';
import { budgetLeftUsd } from '@/lib/engine/budget';
import { renderHandoffContext } from '@/lib/engine/continuation/handoff/render';
import type { Handoff } from '@/lib/engine/continuation/handoff/schema';
import type { StartDecision } from '@/lib/engine/continuation/schema';
import { startContinuation } from '@/lib/engine/continuation/start';
import { withoutExhausted } from '@/lib/engine/cooldowns/allow-rules';
import { cooldownState, exhaustedPairs } from '@/lib/engine/cooldowns/state';
import { strictest } from '@/lib/engine/hosts/pool-hosts';
import { type StartPromptFacts, startPrompts } from '@/lib/engine/prompts/start-prompt';
import { chainTriggerSchema } from '@/lib/engine/statuses';
import { startRequestSentence } from '@/lib/engine/triggers';
import { canHoldCommandsOf, confinesAgent, evaluatedAgent } from '@/lib/fleet/capabilities';
import { askFirstDenials } from '@/lib/projects/rules/ask-first-denials';
import { commandPolicy, commandSecrets } from '@/lib/projects/rules/command-policy';
import { expandDenials, expandRules } from '@/lib/projects/rules/placeholders';
import type { TierPolicy } from '@/lib/projects/schema';
import { namedServices } from '@/lib/projects/service-names';
import { startIsolation } from '@/lib/protocol/confinement';
import { reportJsonSchema } from '@/lib/protocol/report';
import { type Recovery, type StartSpec, type Tier, tierSchema } from '@/lib/protocol/spec';
import { frameSignals } from '@/lib/signals/frame';
import type { ClaimFacts } from './facts';

interface BuiltStart {
  start: StartSpec;
  /** One sentence for an event if something was left out of the tier's context. */
  warning: string | null;
}

/**
 * Builds the start for a decision, from what is true at the claim. Rules whose cooldown is
 * exhausted are left out, and the denied rules are those of the chain's version and of the current
 * one.
 */
export function buildStart(
  decision: StartDecision,
  attempt: AttemptRow,
  facts: ClaimFacts,
  recovery: Recovery | null,
  now: Date,
): BuiltStart {
  const { session, frozen, live, parent } = facts;
  const tier = tierSchema.parse(session.tier);
  const purpose = attempt.purpose === 'reconcile' ? 'reconcile' : 'tier';
  // A reconcile only observes, so it gets tier 1's tools.
  const policy = policyOf(facts, purpose === 'reconcile' ? 1 : tier);
  const services = namedServices(frozen.services);
  const cooldowns = cooldownState(live.cooldowns, facts.actions, services, now);
  const handoff = facts.given;
  const context = renderedContext(handoff, facts);
  const carried = startContinuation(decision, {
    handoffContext: context?.text ?? null,
    transcript: null,
  });
  const writesHandoffFile = purpose === 'tier' && edgeAbove(facts, tier) === 'handoff';
  const exhausted = exhaustedPairs(cooldowns);
  const allowedRules = withoutExhausted(
    expandRules(policy.allowedTools, frozen.services),
    exhausted,
    services,
  );
  const denied = refusalsOf(facts, policy.tier);
  const asking = askedFirst(facts, policy.tier);
  const denials = askFirstDenials(asking, policy.allowedTools, frozen.services);
  // An unconfined agent gets these, and nothing can hold its commands.
  const disallowedRules = withDenials(expandDenials(denied), denials);
  const canHold = canHoldCommandsOf(facts.runner.capabilities);
  const isolation = strictest([frozen, live]);
  const isConfined =
    isolation === 'confined' && confinesAgent(facts.runner.capabilities, frozen.harness);
  const isAsking = isConfined && canHold;
  const prompts = startPrompts({
    tier,
    mode: promptMode(purpose, decision, facts),
    project: facts.project.name,
    services: frozen.services,
    affected: handoff?.services_affected ?? [],
    toolNames: AGENTS[frozen.harness].toolNames,
    tools: policy.tools,
    // The prompt is easier to read with placeholders, which are wrong only if a rule was withheld.
    allowedRules: exhausted.length === 0 ? policy.allowedTools : allowedRules,
    disallowedRules: isAsking ? expandDenials(denied) : disallowedRules,
    askFirstRules: isAsking ? asking : [],
    cooldownRules: live.cooldowns,
    cooldowns,
    isDryRun: isDryRun(facts),
    instructions: frozen.instructions,
    tierPrompt: policy.prompt,
    request: startRequestSentence(
      chainTriggerSchema.parse(facts.chain.trigger),
      facts.chain.prompt,
    ),
    writesHandoffFile,
    handoffContext: carried.handoffContext,
    handoffAsOf: facts.handoff?.createdAt ?? null,
    keepsNotes: live.checkpoints.enabled,
    recoveryContext: recovery?.section ?? null,
    decided: facts.decided && { ...facts.decided, isHeld: isAsking },
    signals: signalsSection(decision, facts),
  });
  const start: StartSpec = {
    harness: frozen.harness,
    tier,
    purpose,
    model: session.model,
    cliSessionId: decision.newCliSessionId,
    continuation: carried.continuation,
    ...prompts,
    tools: policy.tools,
    allowedRules,
    disallowedRules,
    isolation: startIsolation(isolation),
    commands: commandPolicy(
      {
        allowed: policy.allowedTools,
        denied: canHold ? denied : withDenials(denied, denials),
        askFirst: canHold ? asking : [],
      },
      frozen.services,
      commandSecrets(frozen.secrets, policy.tier),
    ),
    reportSchema: reportJsonSchema,
    questionWaitSeconds: null,
    limits: {
      timeoutSeconds: policy.timeoutSeconds,
      stallSeconds: policy.stallSeconds,
      maxTurns: policy.maxTurns,
      maxBudgetUsd: budgetLeftUsd(policy.maxBudgetUsd, facts.spending, live.budgets),
    },
    writesHandoffFile,
    agent: evaluatedAgent(facts.runner.capabilities, frozen.harness),
    checkpoints: checkpointPlan(facts),
    recovery,
  };
  const isUsed = carried.handoffContext !== null && parent !== null;
  return { start, warning: isUsed ? (context?.warning ?? null) : null };
}

/** How many characters of a prompt alerts can take. */
const SIGNAL_CHARS = 8_000;

/** Returns the alerts that the chain was started for, framed as data; null where the start holds none. */
export function signalsSection(
  { mode }: Pick<StartDecision, 'mode'>,
  { signals, isContinuation }: Pick<ClaimFacts, 'signals' | 'isContinuation'>,
): string | null {
  if (mode !== 'fresh' || isContinuation) return null;
  return frameSignals(signals, SIGNAL_CHARS) || null;
}

function promptMode(
  purpose: 'tier' | 'reconcile',
  decision: StartDecision,
  { isContinuation, decided }: ClaimFacts,
): StartPromptFacts['mode'] {
  if (purpose === 'reconcile') return 'reconcile';
  if (!isContinuation) return modeOf(decision);
  return decided === null ? 'continue' : 'approval';
}

function modeOf(decision: StartDecision): 'fresh' | 'resume' | 'handoff' | 'reconcile' {
  if (decision.mode === 'transcript') throw new Error('A tier never starts from a transcript.');
  return decision.mode;
}

function policyOf({ frozen }: ClaimFacts, tier: Tier): TierPolicy {
  const policy = frozen.tiers[tier - 1];
  if (!policy) throw new Error(`Tier ${tier} has no policy.`);
  return policy;
}

/** Returns the denied rules: whatever the chain's version or the current one denies. */
function refusalsOf({ frozen, live }: ClaimFacts, tier: Tier): string[] {
  const both = [frozen, live].flatMap((config) => config.tiers[tier - 1]?.disallowedTools ?? []);
  return [...new Set(both)];
}

/** Returns the rules that need approval: by the chain's version or the current one. */
function askedFirst({ frozen, live }: ClaimFacts, tier: Tier): string[] {
  const both = [frozen, live].flatMap((config) => config.tiers[tier - 1]?.askFirstTools ?? []);
  return [...new Set(both)];
}

function withDenials(denied: readonly string[], denials: readonly string[]): string[] {
  return [...new Set([...denied, ...denials])];
}

function checkpointPlan({ live, project }: ClaimFacts): StartSpec['checkpoints'] {
  const { enabled, promptInterval, timeIntervalMs, recoveryBudgetChars } = live.checkpoints;
  if (!enabled) return null;
  return { project: project.name, promptInterval, timeIntervalMs, recoveryBudgetChars };
}

function edgeAbove({ frozen }: ClaimFacts, tier: Tier): 'resume' | 'handoff' | null {
  if (tier === 1) return frozen.continuation.tier1To2;
  return tier === 2 ? frozen.continuation.tier2To3 : null;
}

function renderedContext(handoff: Handoff | null, { parent, handoff: row }: ClaimFacts) {
  if (!handoff || !parent || !row) return null;
  return renderHandoffContext(handoff, {
    tier: tierSchema.parse(parent.tier),
    session: `#${parent.number}`,
    asOf: row.createdAt,
  });
}

/**
 * Returns whether dry run is on: for the installation, the chain, its version or the current one.
 */
export function isDryRun(
  facts: Pick<ClaimFacts, 'chain' | 'frozen' | 'live' | 'isDryRunForced'>,
): boolean {
  const { chain, frozen, live, isDryRunForced } = facts;
  return isDryRunForced || chain.isDryRun || frozen.dryRun || live.dryRun;
}
