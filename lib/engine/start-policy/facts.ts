import type { OpenWindow } from '@/lib/projects/maintenance/schema';
import type { Tier } from '@/lib/protocol/spec';
import type { Acknowledgement, PauseFact, Snooze } from '../attempt/holds';
import type { BudgetFact } from '../budget';
import type { CooldownFact } from '../cooldowns/state';

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
  acknowledgements: readonly Acknowledgement[];
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
  /** Runners of its pool that can start it instead, by name. */
  elsewhere: readonly string[];
  /** Why none of the others that can confine agents starts it, as a sentence; null: none can. */
  others: string | null;
}

/** Facts with which every gate is open. */
export const NOTHING_HOLDS: Omit<StartFacts, 'tier' | 'projectName'> = {
  services: [],
  pauses: [],
  snoozes: [],
  acknowledgements: [],
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
