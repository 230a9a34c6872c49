/** Which value of a metric's label a row is counted under. */

import type { AttemptEnd } from '@/lib/agents/attempt-end';
import type { CommandHold } from '@/lib/protocol/commands';
import { AGENTS } from '../agents/registry';
import { ASK_TIER, type CommandState } from './statuses';

/** `ask`: a turn of a conversation, which belongs to no tier. */
export const WORK_TIERS = ['1', '2', '3', 'ask'] as const;
type WorkTier = (typeof WORK_TIERS)[number];

/** @param tier as the ledger books it: ASK_TIER for a turn */
export function workTier(tier: number): WorkTier {
  if (tier === ASK_TIER) return 'ask';
  return WORK_TIERS.find((each) => each === String(tier)) ?? '1';
}

export const ATTEMPT_OUTCOMES = [
  'succeeded',
  'failed',
  'stalled',
  'timed_out',
  'rate_limited',
  'limit_reached',
  'waiting_for_approval',
  'lost',
  'canceled',
] as const;
type AttemptOutcome = (typeof ATTEMPT_OUTCOMES)[number];

/** All other ends are `failed`. */
const OUTCOMES: Partial<Record<AttemptEnd, AttemptOutcome>> = {
  completed: 'succeeded',
  stalled: 'stalled',
  timed_out: 'timed_out',
  rate_limited: 'rate_limited',
  overloaded: 'rate_limited',
  max_turns: 'limit_reached',
  max_budget: 'limit_reached',
  waiting_for_approval: 'waiting_for_approval',
  lost: 'lost',
  stopped: 'canceled',
};

export function attemptOutcome(end: AttemptEnd): AttemptOutcome {
  return OUTCOMES[end] ?? 'failed';
}

export const COMMAND_DECISIONS = ['allowed', 'approved', 'denied', 'expired'] as const;
type CommandDecision = (typeof COMMAND_DECISIONS)[number];

/** `none`: it was refused, so it never ran. */
export const COMMAND_OUTCOMES = [
  'succeeded',
  'failed',
  'not_started',
  'left_running',
  'none',
] as const;
type CommandOutcome = (typeof COMMAND_OUTCOMES)[number];

const EXPIRED: CommandHold = 'approval_expired';

export interface EndedCommand {
  state: CommandState;
  refusalCode: string | null;
  /** Whether it used an approval. */
  isApproved: boolean;
}

/** Returns the labels of a command; null for one that may still run and is counted later. */
export function commandLabels(
  command: EndedCommand,
): { decision: CommandDecision; outcome: CommandOutcome } | null {
  const { state, refusalCode, isApproved } = command;
  if (state === 'started') return null;
  if (state === 'refused') {
    return { decision: refusalCode === EXPIRED ? 'expired' : 'denied', outcome: 'none' };
  }
  return { decision: isApproved ? 'approved' : 'allowed', outcome: state };
}

const PREFIXES = [
  ...new Set(
    Object.values(AGENTS).flatMap(({ prices }) => prices.models.map(([prefix]) => prefix)),
  ),
];

/**
 * Returns the beginning of a model's name under which it is priced, such as `claude-sonnet`; `other` for
 * a model that no price table knows. So a label has few values, whatever a runner reports.
 */
export function modelFamily(model: string): string {
  return PREFIXES.find((prefix) => model.startsWith(prefix)) ?? 'other';
}
