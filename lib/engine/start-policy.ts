/**
 * Decides whether work may start now: a slot of the schedule, a person's request, the next tier, a
 * claim, a turn of a conversation. All of them call `closedGate`, so a closed gate has the same
 * reason everywhere.
 */

import type { OpenWindow } from '@/lib/projects/maintenance/schema';
import { openWindowClause } from '@/lib/projects/maintenance/window';
import type { Tier } from '@/lib/protocol/spec';
import type { Acknowledgement, PauseFact, Snooze } from './attempt/holds';
import { type BudgetFact, budgetClause, budgetRemedy, reachedBudget } from './budget';
import { type CooldownFact, cooldownSentence } from './cooldowns/state';
import type { WaitReason } from './statuses';

/** Why nothing starts. Stored with decisions and returned by the API. */
export const GATE_CODES = [
  'SNOOZED',
  'ACKNOWLEDGED',
  'PAUSED',
  'MAINTENANCE',
  'MAX_TIER',
  'TIER_DISABLED',
  'DRY_RUN',
  'CHAIN_RUNNING',
  'BUDGET',
  'NO_POOL',
  'NOT_CONFINED',
  'CANARY_PENDING',
  'CANARY_FAILED',
  'COOLDOWN',
  'APPROVAL',
  'APPROVAL_REFUSED',
  'APPROVAL_EXPIRED',
] as const;
export type GateCode = (typeof GATE_CODES)[number];

/** Facts that the gates evaluate. A caller leaves those that don't apply as in `NOTHING_HOLDS`. */
export interface StartFacts {
  /** The tier that would start; a turn of a conversation has tier 1's rights. */
  tier: Tier;
  projectName: string;
  /** Services that the tier would work on; empty for tier 1. */
  services: readonly string[];
  pauses: readonly PauseFact[];
  snoozes: readonly Snooze[];
  /** Services that a person has acknowledged. */
  inHand: readonly Acknowledgement[];
  /** The maintenance window that is open now. */
  maintenance: OpenWindow | null;
  maxTier: Tier;
  enabledTiers: readonly Tier[];
  isDryRun: boolean;
  /** Number of the project's chain that still runs. */
  liveChain: number | null;
  budgets: readonly BudgetFact[];
  /** Name of the pool that should run it, if the organization has none of that name. */
  missingPool: string | null;
  /** Why the runner can't confine an agent that has to be confined; null if nothing is missing. */
  unconfined: UnconfinedFact | null;
  /** What the agent has still to prove on the runner; null: nothing. */
  unproven: UnprovenFact | null;
  cooldowns: readonly CooldownFact[];
  /** What people have to decide first, or have decided against it; null: nothing. */
  approval: ApprovalFact | null;
}

/** `unasked`: nobody has been asked about the start of the tier. */
export type ApprovalFact =
  | { kind: 'unasked' }
  | { kind: 'pending' | 'expired'; title: string }
  | { kind: 'refused'; title: string; refusal: string | null };

export interface UnprovenFact {
  runner: string;
  /** With its version: `Claude Code 2.1.330`. */
  agent: string;
  /** Why its canary failed, as a sentence; null: it has not ended yet. */
  detail: string | null;
  /** Whether the runner is from before canaries, so that nothing is proven until it is updated. */
  isRunnerTooOld?: boolean;
}

export interface UnconfinedFact {
  runner: string;
  /** Sentences. */
  why: string;
  fix: string;
}

/** Facts with which every gate is open. */
export const NOTHING_HOLDS: Omit<StartFacts, 'tier' | 'projectName'> = {
  services: [],
  pauses: [],
  snoozes: [],
  inHand: [],
  maintenance: null,
  maxTier: 3,
  enabledTiers: [1, 2, 3],
  isDryRun: false,
  liveChain: null,
  budgets: [],
  missingPool: null,
  unconfined: null,
  unproven: null,
  cooldowns: [],
  approval: null,
};

export interface ClosedGate {
  code: GateCode;
  /** Why, as a clause: `Checkout is paused by Ana`. It reads the same wherever it is shown. */
  because: string;
  /** What opens the gate, as a sentence. */
  remedy: string;
  /**
   * What opens the gate: `passes` (time or a change of settings), `settled` (nothing, for this
   * work), or a `person` who has to act.
   */
  ends: 'passes' | 'settled' | 'person';
  /** As what work is stored that waits for the gate; null: none waits for it. */
  waitReason: WaitReason | null;
}

type Gate = (facts: StartFacts, now: Date) => ClosedGate | null;

// What a person requested comes before what they configured, and both before what is used up:
// nobody is called for a service that they have just snoozed.
const GATES: readonly Gate[] = [
  snoozeGate,
  inHandGate,
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

/** Returns why nothing starts and what to do about it, as sentences. */
export function refusalText({ because, remedy }: ClosedGate): string {
  return `${asSentence(because)} ${remedy}`;
}

/** `the window is open` becomes `The window is open.`; a name keeps its spelling. */
export function asSentence(clause: string): string {
  const isOurs = /^(?:the|tier|there|chain|nobody) /.test(clause);
  return `${isOurs ? clause.charAt(0).toUpperCase() : clause.charAt(0)}${clause.slice(1)}.`;
}

/** Returns the services that don't escalate now: snoozed or acknowledged ones. */
export function quietServices(
  { snoozes, inHand }: Pick<StartFacts, 'snoozes' | 'inHand'>,
  now: Date,
): string[] {
  return [...snoozedServices(snoozes, now), ...inHand.map(({ service }) => service)];
}

/** Returns the services with an active snooze. */
function snoozedServices(snoozes: readonly Snooze[], now: Date): string[] {
  return snoozes.filter((snooze) => snooze.until > now).map((snooze) => snooze.service);
}

function snoozeGate({ services, snoozes }: StartFacts, now: Date): ClosedGate | null {
  const snoozed = snoozedServices(snoozes, now);
  if (services.length === 0 || !services.every((name) => snoozed.includes(name))) return null;
  return {
    code: 'SNOOZED',
    because: `${services.join(', ')} ${services.length > 1 ? 'are' : 'is'} snoozed`,
    remedy: 'End the snooze, or wait for it to end.',
    ends: 'settled',
    waitReason: null,
  };
}

// A person who has acknowledged a service must not find an agent working on it.
function inHandGate(facts: StartFacts, now: Date): ClosedGate | null {
  const { services, inHand } = facts;
  const quiet = quietServices(facts, now);
  if (services.length === 0 || !services.every((name) => quiet.includes(name))) return null;
  const taken = inHand.filter(({ service }) => services.includes(service));
  return {
    code: 'ACKNOWLEDGED',
    because: taken
      .map(
        ({ service, by, chainNumber }) =>
          `${by} has acknowledged ${service} since Chain #${chainNumber}`,
      )
      .join(', '),
    remedy: 'Escalation resumes once the acknowledgement is removed or the service has recovered.',
    ends: 'settled',
    waitReason: null,
  };
}

function pauseGate({ tier, projectName, pauses }: StartFacts): ClosedGate | null {
  const pause = pauses.find((each) => each.scope !== 'tier' || each.tier === tier);
  if (!pause) return null;
  return {
    code: 'PAUSED',
    because: `${pausedThing(pause, projectName)} is paused by ${pause.by}`,
    remedy: 'Resume it first.',
    ends: 'passes',
    waitReason: 'pause',
  };
}

function pausedThing(pause: PauseFact, projectName: string): string {
  if (pause.scope === 'organization') return pause.name ?? 'the organization';
  return pause.scope === 'project' ? projectName : `tier ${pause.tier} of ${projectName}`;
}

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

function poolGate({ missingPool }: StartFacts): ClosedGate | null {
  if (missingPool === null) return null;
  return {
    code: 'NO_POOL',
    because: `there is no runner pool named ${missingPool}`,
    remedy: 'Add a runner to it, or choose another pool.',
    ends: 'person',
    waitReason: null,
  };
}

function confinementGate({ tier, unconfined }: StartFacts): ClosedGate | null {
  if (unconfined === null) return null;
  const { runner, why, fix } = unconfined;
  return {
    code: 'NOT_CONFINED',
    because: `tier ${tier} requires isolation, and runner ${runner} can’t confine agents`,
    remedy: `${why} ${fix}`.trim(),
    ends: 'person',
    waitReason: null,
  };
}

/**
 * How long a tier waits for a runner whose agent has passed its canary. A runner repeats one that failed
 * every five minutes.
 */
export const PROOF_WAIT_MINUTES = 15;

/** Returns when a tier that begins to wait for a canary now has waited too long. */
export function proofDueAt(now: Date): Date {
  return new Date(now.getTime() + PROOF_WAIT_MINUTES * 60_000);
}

export function canaryGate({ unproven }: Pick<StartFacts, 'unproven'>): ClosedGate | null {
  if (unproven === null) return null;
  const { runner, agent, detail, isRunnerTooOld = false } = unproven;
  const waiting = { ends: 'passes', waitReason: 'canary' } as const;
  if (isRunnerTooOld) {
    return {
      ...waiting,
      // As after a failure, another runner of the pool may start it.
      code: 'CANARY_FAILED',
      because: `the version of runner ${runner} is too old to prove that ${agent} refuses forbidden commands`,
      remedy: 'Update the runner, or connect another one.',
    };
  }
  if (detail === null) {
    return {
      ...waiting,
      code: 'CANARY_PENDING',
      because: `${agent} on runner ${runner} hasn’t proven yet that it refuses forbidden commands`,
      remedy: 'That takes a few seconds.',
    };
  }
  return {
    ...waiting,
    code: 'CANARY_FAILED',
    because: `the canary of ${agent} failed on runner ${runner} (${detail.replace(/\.$/, '')})`,
    remedy: 'Install another version there, or connect another runner.',
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

// Last, because nobody is asked about a start that wouldn't happen anyway.
export function approvalGate({
  tier,
  approval,
}: Pick<StartFacts, 'tier' | 'approval'>): ClosedGate | null {
  if (approval === null) return null;
  switch (approval.kind) {
    case 'unasked':
    case 'pending': {
      const title = approval.kind === 'pending' ? approval.title : `The start of tier ${tier}`;
      return {
        code: 'APPROVAL',
        because: `${uncapitalized(title)} waits for approval`,
        remedy: 'Approve or refuse it on the Approvals page.',
        ends: 'passes',
        waitReason: 'approval',
      };
    }
    case 'refused':
      return {
        code: 'APPROVAL_REFUSED',
        because: `${uncapitalized(approval.title)} was refused${approval.refusal === null ? '' : ` (${approval.refusal})`}`,
        remedy: 'Fix it yourself.',
        ends: 'person',
        waitReason: null,
      };
    case 'expired':
      return {
        code: 'APPROVAL_EXPIRED',
        because: `nobody decided in time about ${uncapitalized(approval.title)}`,
        remedy: 'Fix it yourself, or run the chain again.',
        ends: 'person',
        waitReason: null,
      };
  }
}

function uncapitalized(title: string): string {
  return title.replace(/^The /, 'the ');
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
