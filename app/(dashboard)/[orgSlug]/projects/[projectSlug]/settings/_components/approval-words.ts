import { formatSpan } from '@/lib/platform/format/duration';
import type { ApprovalSettings } from '@/lib/projects/approval-settings';
import type { Tier } from '@/lib/protocol/spec';

/** `One operator, admin or owner`; whoever started the chain never counts. */
export function approvers(
  { operatorsUpToTier, people }: Pick<ApprovalSettings, 'operatorsUpToTier' | 'people'>,
  tier: Tier,
): string {
  if (tier > operatorsUpToTier) return people === 2 ? 'Two admins or owners' : 'One admin or owner';
  return people === 2 ? 'Two operators, admins or owners' : 'One operator, admin or owner';
}

/** Returns who decides about a command of a tier, and for how long it waits. */
export function commandApproval(settings: ApprovalSettings, tier: Tier): string {
  const who = `${approvers(settings, tier)} must approve it, other than the person who started the chain.`;
  const { holdSeconds, expiresSeconds } = settings;
  if (Number.isNaN(holdSeconds) || Number.isNaN(expiresSeconds)) return who;
  const held =
    holdSeconds === 0
      ? 'The process ends until the decision'
      : `It is held for ${formatSpan(holdSeconds)}, then the process ends until the decision`;
  return `${who} ${held}. The request expires after ${formatSpan(expiresSeconds)}.`;
}
