import { actionsOfArgv } from '@/lib/engine/cooldowns/rules';
import { formatSpan } from '@/lib/platform/format/duration';
import type { ApprovalSettings } from '@/lib/projects/approval-settings';
import { type BrokeredTrial, tryBrokered } from '@/lib/projects/rules/try-brokered';
import type { ProjectConfig, TierPolicy } from '@/lib/projects/schema';
import { namedServices } from '@/lib/projects/service-names';
import type { Tier } from '@/lib/protocol/spec';
import { countedCommand } from './cooldown-limits';

export interface CommandForecast extends Omit<BrokeredTrial, 'verdict'> {
  /** waits: it is allowed once a person has approved it. */
  verdict: BrokeredTrial['verdict'] | 'waits';
  /** Who has to approve it and for how long it waits; null where nobody has to. */
  approval: string | null;
  /** What it counts as for cooldowns, and their limits; empty if it counts as nothing. */
  cooldowns: string[];
}

type Draft = Pick<ProjectConfig, 'services' | 'cooldowns' | 'approvals'>;

/**
 * Returns what becomes of each program that a line of a confined agent starts: decided by the command
 * broker's code, then by cooldowns and people, in the order of the control plane.
 */
export function forecastCommands(
  { services, cooldowns, approvals }: Draft,
  policy: TierPolicy,
  line: string,
): CommandForecast[] {
  const named = namedServices(services);
  return tryBrokered(policy, line, services).map((trial): CommandForecast => {
    // The control plane is asked about these alone.
    const isAsked = trial.verdict === 'allowed' && (trial.changes || trial.needsApproval);
    if (!isAsked) return { ...trial, approval: null, cooldowns: [] };
    const counted = countedCommand(actionsOfArgv(trial.argv, named), cooldowns);
    if (counted.isRefused) {
      const why = `${trial.rule} allows it, but a cooldown doesn’t.`;
      return { ...trial, verdict: 'refused', why, approval: null, cooldowns: counted.sentences };
    }
    return {
      ...trial,
      verdict: trial.needsApproval ? 'waits' : 'allowed',
      approval: trial.needsApproval ? commandApproval(approvals, policy.tier) : null,
      cooldowns: counted.sentences,
    };
  });
}

/** `One operator, admin or owner`; whoever started the chain never counts. */
export function approvers(
  { operatorsUpToTier, people }: Pick<ApprovalSettings, 'operatorsUpToTier' | 'people'>,
  tier: Tier,
): string {
  if (tier > operatorsUpToTier) return people === 2 ? 'Two admins or owners' : 'One admin or owner';
  return people === 2 ? 'Two operators, admins or owners' : 'One operator, admin or owner';
}

/** Returns who decides about a command of a tier, and for how long it waits. */
function commandApproval(settings: ApprovalSettings, tier: Tier): string {
  const who = `${approvers(settings, tier)} must approve it, other than the person who started the chain.`;
  const { holdSeconds, expiresSeconds } = settings;
  if (Number.isNaN(holdSeconds) || Number.isNaN(expiresSeconds)) return who;
  const held =
    holdSeconds === 0
      ? 'The process ends until the decision'
      : `It is held for ${formatSpan(holdSeconds)}, then the process ends until the decision`;
  return `${who} ${held}. The request expires after ${formatSpan(expiresSeconds)}.`;
}
