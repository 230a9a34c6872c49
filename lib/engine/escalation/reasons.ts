/** Every reason of an escalation decision, with the sentence that people read. */

import type { Tier } from '@/lib/protocol/spec';

/** Values that a sentence may name. Each reason reads only its own. */
interface ReasonValues {
  /** The tier that ended. */
  tier: Tier;
  /** The tier that would come next. */
  nextTier: number;
  maxTier: Tier;
  project: string;
  services: readonly string[];
  /** The handoff's error, the name of the person who paused, or a budget or cooldown sentence. */
  detail: string;
}

const SENTENCES = {
  ALL_HEALTHY: () => 'All services are healthy.',
  RECOVERED: ({ tier }) => `All services are healthy; tier ${tier} changed nothing.`,
  FIXED: ({ tier, services }) => `Tier ${tier} reported a fix${forServices(services)}.`,
  FIX_UNPROVEN: ({ tier, services }) =>
    `Tier ${tier} reported a fix${forServices(services)}, but no check or alert showed a problem before it.`,
  CHECKS_HEALTHY: ({ tier, nextTier, services }) =>
    `Tier ${tier} requested tier ${nextTier} for ${list(services)}, but every check of ${services.length === 1 ? 'it' : 'them'} passed in the same attempt. Tier ${nextTier} was not started.`,
  NO_SERVICE: ({ tier, nextTier, project }) =>
    `Tier ${tier} requested tier ${nextTier} and named no service of ${project}. Tier ${nextTier} was not started; read the report of tier ${tier}.`,
  FINDINGS: ({ tier, services }) =>
    `Tier ${tier} reported findings${forServices(services)} and requested no higher tier.`,
  CLAIM_CONTRADICTED: ({ tier, services }) =>
    `Tier ${tier} reported no problems, but the last check found ${list(services)} unhealthy.`,
  UNCHECKED: ({ tier, services }) =>
    `Tier ${tier} reported no problems, but some checks of ${list(services)} couldn’t run.`,
  NOT_RESOLVED: ({ tier, services }) =>
    services.length === 0
      ? `Tier ${tier} did not resolve the problem and requested no higher tier.`
      : `Tier ${tier} left ${list(services)} unresolved and requested no higher tier.`,
  REPORT_MISSING: ({ tier }) => `Tier ${tier} ended without a report.`,
  ESCALATED: ({ nextTier, services }) => `Escalated to tier ${nextTier}${forServices(services)}.`,
  DRY_RUN: ({ nextTier, services }) =>
    `Escalation suppressed (dry run): would have escalated to tier ${nextTier} for: ${list(services)}`,
  PAUSED: ({ nextTier, services, detail }) =>
    `Escalation suppressed (paused): ${detail}. Would have escalated to tier ${nextTier} for: ${list(services)}`,
  SNOOZED: ({ nextTier, services, detail }) =>
    `Escalation suppressed (snoozed): ${detail}. Would have escalated to tier ${nextTier} for: ${list(services)}`,
  ACKNOWLEDGED: ({ nextTier, services, detail }) =>
    `Escalation suppressed (acknowledged): ${detail}. Would have escalated to tier ${nextTier} for: ${list(services)}`,
  MAINTENANCE: ({ nextTier, services, detail }) =>
    `Escalation suppressed (maintenance): ${detail}. Would have escalated to tier ${nextTier} for: ${list(services)}`,
  MAX_TIER: ({ nextTier, maxTier, project }) =>
    `Tier ${nextTier} is needed but the maximum for ${project} is tier ${maxTier}.`,
  TIER_DISABLED: ({ nextTier, project }) =>
    `Tier ${nextTier} is needed but it is turned off for ${project}.`,
  COOLDOWN: ({ nextTier, detail }) =>
    `${detail} Tier ${nextTier} was not started, since it could not act.`,
  BUDGET: ({ nextTier, detail }) => `${detail} Tier ${nextTier} is needed and was not started.`,
  TIER3_UNRESOLVED: ({ services }) =>
    services.length === 0
      ? 'Tier 3 ended without resolving the problem. No tier is above it.'
      : `Tier 3 ended and left ${list(services)} unresolved. No tier is above it.`,
  HANDOFF_UNREADABLE: ({ tier, detail }) =>
    `Escalation blocked: could not read handoff from tier ${tier} — ${detail}`,
  HANDOFF_INVALID: ({ tier, detail }) =>
    `Escalation blocked: invalid handoff from tier ${tier} — ${detail}`,
} satisfies Record<string, (values: ReasonValues) => string>;

export type EscalationReason = keyof typeof SENTENCES;

export const ESCALATION_REASONS = Object.keys(SENTENCES) as EscalationReason[];

/** Returns the sentence of a reason, as events, pages and notifications show it. */
export function escalationSentence(reason: EscalationReason, values: ReasonValues): string {
  return SENTENCES[reason](values);
}

function list(services: readonly string[]): string {
  return services.length > 0 ? services.join(', ') : 'no named service';
}

function forServices(services: readonly string[]): string {
  return services.length > 0 ? ` for ${services.join(', ')}` : '';
}

/** Reasons that end a chain because the next tier isn’t allowed by the project's settings. */
const STOPPED_BY_SETTINGS: readonly (string | null)[] = ['MAX_TIER', 'TIER_DISABLED'];

interface StoppedChain {
  outcome: string | null;
  /** Code of the outcome. */
  reason: string | null;
  /** 0 if no session started. */
  highestTier: number;
}

/** Returns the tier that would have acted if the settings had allowed it; null if another reason ended the chain. */
export function tierToTurnOn({ outcome, reason, highestTier }: StoppedChain): 2 | 3 | null {
  if (outcome !== 'needs_human' || !STOPPED_BY_SETTINGS.includes(reason)) return null;
  if (highestTier === 1) return 2;
  return highestTier === 2 ? 3 : null;
}
