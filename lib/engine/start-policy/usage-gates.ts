/** What is in use or used up: the project's one live chain, its budgets, its cooldowns. */
import { budgetClause, budgetRemedy, reachedBudget } from '../budget';
import { type CooldownFact, cooldownSentence } from '../cooldowns/state';
import type { StartFacts } from './facts';
import type { ClosedGate } from './gate';

export function runningGate({ liveChain }: StartFacts): ClosedGate | null {
  if (liveChain === null) return null;
  return {
    code: 'CHAIN_RUNNING',
    because: `Chain #${liveChain} is still running`,
    remedy: 'Wait for it, or stop it.',
    ends: 'passes',
    waitReason: null,
  };
}

export function budgetGate({ projectName, budgets }: StartFacts): ClosedGate | null {
  const reached = reachedBudget(budgets);
  if (!reached) return null;
  return {
    code: 'BUDGET',
    because: budgetClause(projectName, reached),
    remedy: budgetRemedy(reached),
    ends: 'person',
    waitReason: 'budget',
  };
}

// A tier that can't do any of its actions on any affected service would only cost money.
export function cooldownGate({ tier, services, cooldowns }: StartFacts): ClosedGate | null {
  if (tier === 1 || services.length === 0) return null;
  const exhausted = services.map((name) => exhaustedActions(name, tier, cooldowns));
  if (exhausted.some((actions) => actions === null)) return null;
  const because = exhausted.flatMap((actions) => actions ?? []).map(cooldownSentence);
  return {
    code: 'COOLDOWN',
    because: because.join(' ').replace(/\.$/, ''),
    remedy: 'Fix it yourself, or wait.',
    ends: 'person',
    waitReason: null,
  };
}

/**
 * Returns the exhausted rules if they leave a tier nothing to do for a service; null while one
 * action is left.
 */
function exhaustedActions(
  service: string,
  tier: 2 | 3,
  cooldowns: readonly CooldownFact[],
): CooldownFact[] | null {
  const actions = tier === 2 ? ['restart'] : ['restart', 'redeploy'];
  const exhausted = actions.map((action) =>
    cooldowns.find(
      (rule) => rule.service === service && rule.action === action && rule.used >= rule.limit,
    ),
  );
  const found = exhausted.filter((rule) => rule !== undefined);
  return found.length === actions.length ? found : null;
}
