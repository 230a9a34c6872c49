/**
 * Decides whether work may start now: a slot of the schedule, a person's request, the next tier, a
 * claim, a turn of a conversation. All of them call `closedGate`, so a closed gate has the same
 * reason everywhere.
 */

import { openWindowClause } from '@/lib/projects/maintenance/window';
import { budgetClause, budgetRemedy, reachedBudget } from '../budget';
import { type CooldownFact, cooldownSentence } from '../cooldowns/state';
import { approvalGate } from './approval-gate';
import type { StartFacts } from './facts';
import type { ClosedGate, Gate } from './gate';
import { canaryGate, confinementGate, poolGate } from './host-gates';
import { acknowledgementGate, pauseGate, snoozeGate } from './request-gates';

// What is in use or used up: the project's one live chain, its budgets, its cooldowns.

function runningGate({ liveChain }: StartFacts): ClosedGate | null {
  if (liveChain === null) return null;
  return {
    code: 'CHAIN_RUNNING',
    because: `Chain #${liveChain} is still running`,
    remedy: 'Wait for it, or stop it.',
    ends: 'passes',
    waitReason: null,
  };
}

function budgetGate({ projectName, budgets }: StartFacts): ClosedGate | null {
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
function cooldownGate({ tier, services, cooldowns }: StartFacts): ClosedGate | null {
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

// What people have configured: maintenance windows, the tiers that may run, dry run.

function maintenanceGate({ tier, maintenance }: StartFacts): ClosedGate | null {
  if (!maintenance || (maintenance.effect === 'observe_only' && tier === 1)) return null;
  const only = maintenance.effect === 'observe_only' ? 'Only tier 1 may start. ' : '';
  return {
    code: 'MAINTENANCE',
    because: openWindowClause(maintenance),
    remedy: `${only}Wait until the window closes, or change it in the settings.`,
    ends: 'passes',
    waitReason: 'maintenance',
  };
}

function tierGate({ tier, projectName, maxTier, enabledTiers }: StartFacts): ClosedGate | null {
  if (tier > maxTier) {
    return {
      code: 'MAX_TIER',
      because: `tier ${tier} is above the maximum for ${projectName}, which is tier ${maxTier}`,
      remedy: 'Raise the maximum in the settings, or fix it yourself.',
      ends: 'person',
      waitReason: null,
    };
  }
  if (tier === 1 || enabledTiers.includes(tier)) return null;
  return {
    code: 'TIER_DISABLED',
    because: `tier ${tier} is turned off for ${projectName}`,
    remedy: 'Turn it on in the settings, or fix it yourself.',
    ends: 'person',
    waitReason: null,
  };
}

function dryRunGate({ tier, projectName, isDryRun }: StartFacts): ClosedGate | null {
  if (!isDryRun || tier === 1) return null;
  return {
    code: 'DRY_RUN',
    because: `${projectName} is in dry run, in which no tier above 1 starts`,
    remedy: 'Turn dry run off first.',
    ends: 'settled',
    waitReason: null,
  };
}

// What a person requested comes before what they configured, and both before what is used up:
// nobody is called for a service that they have just snoozed.
const GATES: readonly Gate[] = [
  snoozeGate,
  acknowledgementGate,
  pauseGate,
  maintenanceGate,
  tierGate,
  dryRunGate,
  runningGate,
  budgetGate,
  poolGate,
  confinementGate,
  canaryGate,
  cooldownGate,
  // Last, because nobody is asked about a start that wouldn't happen anyway.
  approvalGate,
];

/** Returns the first closed gate; null if the work may start. */
export function closedGate(facts: StartFacts, now: Date): ClosedGate | null {
  for (const gate of GATES) {
    const closed = gate(facts, now);
    if (closed) return closed;
  }
  return null;
}
