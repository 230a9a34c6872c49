/** What can stand between a wish and the next tier. Each gate says nothing when it is open. */

import { formatCost } from '@/lib/platform/format/cost';
import { formatSpan } from '@/lib/platform/format/duration';
import { openWindowClause } from '@/lib/projects/maintenance/window';
import type {
  CooldownFact,
  EscalationFacts,
  EscalationPolicy,
  PauseFact,
  SuppressCause,
} from './schema';

export type ClosedGate =
  | {
      kind: 'suppress';
      why: SuppressCause;
      reason: 'DRY_RUN' | 'PAUSED' | 'SNOOZED' | 'ACKNOWLEDGED' | 'MAINTENANCE';
      detail: string;
    }
  | {
      kind: 'needs_human';
      why: 'max_tier' | 'cooldown' | 'budget';
      reason: 'MAX_TIER' | 'TIER_DISABLED' | 'COOLDOWN' | 'BUDGET';
      detail: string;
    };

interface Hop {
  nextTier: 2 | 3;
  services: readonly string[];
}

type Gate = (
  hop: Hop,
  facts: EscalationFacts,
  policy: EscalationPolicy,
  now: Date,
) => ClosedGate | null;

// What a person has asked for comes before what they set up, and both before what ran out:
// nobody is called for a service they have just snoozed.
const GATES: readonly Gate[] = [
  snoozeGate,
  inHandGate,
  pauseGate,
  maintenanceGate,
  maxTierGate,
  dryRunGate,
  budgetGate,
  cooldownGate,
];

export function firstClosedGate(
  hop: Hop,
  facts: EscalationFacts,
  policy: EscalationPolicy,
  now: Date,
): ClosedGate | null {
  for (const gate of GATES) {
    const closed = gate(hop, facts, policy, now);
    if (closed) return closed;
  }
  return null;
}

/** Services whose snooze still runs. */
export function snoozedServices(facts: EscalationFacts, now: Date): string[] {
  return facts.snoozes.filter((snooze) => snooze.until > now).map((snooze) => snooze.service);
}

function snoozeGate(hop: Hop, facts: EscalationFacts, _policy: EscalationPolicy, now: Date) {
  const snoozed = snoozedServices(facts, now);
  const isAllSnoozed =
    hop.services.length > 0 && hop.services.every((name) => snoozed.includes(name));
  if (!isAllSnoozed) return null;
  const detail = `${hop.services.join(', ')} ${hop.services.length > 1 ? 'are' : 'is'} snoozed`;
  return { kind: 'suppress', why: 'snoozed', reason: 'SNOOZED', detail } as const;
}

/** Services that escalate nothing now: snoozed, or in a person's hands. */
export function quietServices(facts: EscalationFacts, now: Date): string[] {
  return [...snoozedServices(facts, now), ...facts.inHand.map(({ service }) => service)];
}

// Whoever has a service in hand must not find an agent at work on it.
function inHandGate(hop: Hop, facts: EscalationFacts, _policy: EscalationPolicy, now: Date) {
  const quiet = quietServices(facts, now);
  const isAllQuiet = hop.services.length > 0 && hop.services.every((name) => quiet.includes(name));
  if (!isAllQuiet) return null;
  const taken = facts.inHand.filter(({ service }) => hop.services.includes(service));
  const detail = taken
    .map(({ service, by, chainNumber }) => `${by} has ${service} in hand since #${chainNumber}`)
    .join(', ');
  return { kind: 'suppress', why: 'acknowledged', reason: 'ACKNOWLEDGED', detail } as const;
}

function maintenanceGate(_hop: Hop, facts: EscalationFacts) {
  if (!facts.maintenance) return null;
  const detail = openWindowClause(facts.maintenance);
  return { kind: 'suppress', why: 'maintenance', reason: 'MAINTENANCE', detail } as const;
}

function pauseGate(hop: Hop, facts: EscalationFacts, policy: EscalationPolicy) {
  const pause = facts.pauses.find(
    (candidate) => candidate.scope !== 'tier' || candidate.tier === hop.nextTier,
  );
  if (!pause) return null;
  const detail = `${pausedThing(pause, policy)} is paused by ${pause.by}`;
  return { kind: 'suppress', why: 'paused', reason: 'PAUSED', detail } as const;
}

function pausedThing(pause: PauseFact, policy: EscalationPolicy): string {
  if (pause.scope === 'organization') return 'the organization';
  return pause.scope === 'project' ? policy.projectName : `tier ${pause.tier}`;
}

function maxTierGate(hop: Hop, _facts: EscalationFacts, policy: EscalationPolicy) {
  if (hop.nextTier > policy.maxTier) {
    return { kind: 'needs_human', why: 'max_tier', reason: 'MAX_TIER', detail: '' } as const;
  }
  if (!policy.enabledTiers.includes(hop.nextTier)) {
    return { kind: 'needs_human', why: 'max_tier', reason: 'TIER_DISABLED', detail: '' } as const;
  }
  return null;
}

function dryRunGate(_hop: Hop, _facts: EscalationFacts, policy: EscalationPolicy) {
  const { project, installation, chain } = policy.dryRun;
  if (!project && !installation && !chain) return null;
  return { kind: 'suppress', why: 'dry_run', reason: 'DRY_RUN', detail: '' } as const;
}

function budgetGate(_hop: Hop, facts: EscalationFacts, policy: EscalationPolicy) {
  const spent = facts.budgets.find((budget) => budget.spentMicros >= budget.limitMicros);
  if (!spent) return null;
  const amount = formatCost(spent.limitMicros);
  const detail = {
    chain: `This chain reached its budget of ${amount}.`,
    day: `${policy.projectName} reached today's budget of ${amount}.`,
    month: `${policy.projectName} reached this month's budget of ${amount}.`,
  }[spent.scope];
  return { kind: 'needs_human', why: 'budget', reason: 'BUDGET', detail } as const;
}

// A tier that could do none of its actions on any affected service would only cost money.
function cooldownGate(hop: Hop, facts: EscalationFacts) {
  if (hop.services.length === 0) return null;
  const exhausted = hop.services.map((name) => exhaustedActions(name, hop.nextTier, facts));
  if (exhausted.some((actions) => actions === null)) return null;
  const detail = exhausted.flatMap((actions) => actions ?? []).map(cooldownSentence);
  return {
    kind: 'needs_human',
    why: 'cooldown',
    reason: 'COOLDOWN',
    detail: detail.join(' '),
  } as const;
}

/** The exhausted rules that leave a tier nothing to do for a service; null while one action is left. */
function exhaustedActions(
  service: string,
  nextTier: 2 | 3,
  facts: EscalationFacts,
): CooldownFact[] | null {
  const actions = nextTier === 2 ? ['restart'] : ['restart', 'redeploy'];
  const exhausted = actions.map((action) =>
    facts.cooldowns.find(
      (rule) => rule.service === service && rule.action === action && rule.used >= rule.limit,
    ),
  );
  const found = exhausted.filter((rule) => rule !== undefined);
  return found.length === actions.length ? found : null;
}

/** `payments-db was restarted twice in the last 4h. The next restart is allowed at 16:40 UTC.` */
export function cooldownSentence(rule: CooldownFact): string {
  const done = rule.action === 'restart' ? 'restarted' : 'redeployed';
  if (rule.limit === 0) return `${rule.service} must not be ${done}.`;
  const first = `${rule.service} was ${done} ${times(rule.used)} in the last ${formatSpan(rule.windowSeconds)}.`;
  if (rule.nextAllowedAt === null) return first;
  const at = rule.nextAllowedAt.toISOString();
  return `${first} The next ${rule.action} is allowed at ${at.slice(11, 16)} UTC.`;
}

function times(count: number): string {
  if (count === 1) return 'once';
  return count === 2 ? 'twice' : `${count} times`;
}
