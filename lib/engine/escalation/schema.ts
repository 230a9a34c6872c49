/** Input and result of an escalation decision: types only. */

import type { OpenWindow } from '@/lib/projects/maintenance/schema';
import type { Level } from '@/lib/protocol/events';
import type { TierReport } from '@/lib/protocol/report';
import type { Tier } from '@/lib/protocol/spec';
import type { Acknowledgement, PauseFact, Snooze } from '../attempt/holds';
import type { BudgetFact } from '../budget';
import type { CooldownFact } from '../cooldowns/state';
import type { CheckFact } from './affected';
import type { EscalationReason } from './reasons';

/** State of the agent's handoff file after it was read and validated. */
export type HandoffVerdict =
  /** None was expected, or none was written. */
  | { state: 'none' }
  /** No file, although this tier was instructed to write one if it needs a higher tier. */
  | { state: 'absent' }
  | { state: 'valid'; recommendedTier: 2 | 3; services: readonly string[] }
  | { state: 'unreadable' | 'invalid'; error: string };

/** What is known about services without anything that an agent says. */
export interface Evidence {
  /** Services whose every check was performed in this attempt and passed the last time. */
  provenHealthy: readonly string[];
  /** Services that failed a check in this chain before the tier could change anything, or at the chain's start. */
  failedBefore: readonly string[];
  signals: {
    /** Services that an alert is about which fires now. */
    firing: readonly string[];
    /** Services that an alert is about which fires now, or for which the chain was started. */
    reported: readonly string[];
    /** The chain was started for an alert that still fires and names no service of the project. */
    isUnnamedFiring: boolean;
    /** The chain was started for an alert that names no service of the project. */
    isUnnamedReported: boolean;
  };
}

/** The facts at the end of a completed attempt. */
export interface EscalationFacts {
  tier: Tier;
  /** Validated; null if there is none. */
  report: TierReport | null;
  handoffFile: HandoffVerdict;
  /** Every check that the runner ran in this session, oldest first. */
  checks: readonly CheckFact[];
  evidence: Evidence;
  budgets: readonly BudgetFact[];
  cooldowns: readonly CooldownFact[];
  pauses: readonly PauseFact[];
  snoozes: readonly Snooze[];
  /** Services that a person has acknowledged. */
  acknowledgements: readonly Acknowledgement[];
  maintenance: OpenWindow | null;
}

/** The stricter of what the chain froze and what is configured now. */
export interface EscalationPolicy {
  projectName: string;
  maxTier: Tier;
  enabledTiers: readonly Tier[];
  /** Any of the three turns dry run on. */
  dryRun: { project: boolean; installation: boolean; chain: boolean };
}

interface Decided {
  reason: EscalationReason;
  /** Services of the decision; never guessed from free text. */
  services: readonly string[];
  level: Level;
  /** Text of the event. */
  sentence: string;
  /** Further events to write, about contradictions between report and facts. */
  notes: readonly DecisionNote[];
}

export interface DecisionNote {
  level: Level;
  code: 'CLAIM_CONTRADICTED' | 'HANDOFF_ABSENT' | 'TIER_CAPPED' | 'NO_TIER_ABOVE_3';
  message: string;
}

type SuppressCause = 'dry_run' | 'paused' | 'snoozed' | 'acknowledged' | 'maintenance';

export type EscalationDecision =
  | (Decided & { kind: 'finish'; outcome: 'healthy' | 'findings' | 'fixed' })
  | (Decided & { kind: 'escalate'; tier: 2 | 3 })
  | (Decided & { kind: 'suppress'; why: SuppressCause; tier: 2 | 3 })
  | (Decided & {
      kind: 'needs_human';
      why: 'max_tier' | 'cooldown' | 'budget' | 'tier3_unresolved' | 'no_service';
      /** The tier that was not started; null after tier 3. */
      tier: 2 | 3 | null;
    })
  | (Decided & { kind: 'blocked'; why: 'handoff_unreadable' | 'handoff_invalid' });
