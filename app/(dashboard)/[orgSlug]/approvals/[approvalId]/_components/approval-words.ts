import type { ApprovalDto } from '@/lib/insight/approvals/schema';

/** `Operators, admins and owners`. */
export function deciders({ minRole }: Pick<ApprovalDto, 'minRole'>): string {
  return minRole === 'admin' ? 'Admins and owners' : 'Operators, admins and owners';
}

/** What an approval leads to, as a sentence. */
export function approvalEffect({ kind, tier, runner }: ApprovalDto): string {
  if (kind === 'tier') return `Tier ${tier} starts once.`;
  return `The command runs once, with exactly these arguments and files${runner ? `, on ${runner.name}` : ''}.`;
}

/** What a refusal leads to, as a sentence. */
export function refusalEffect({ kind, tier, onRefusal }: ApprovalDto): string {
  if (kind === 'tier') return `Tier ${tier} doesn’t start, and the chain needs a human.`;
  return onRefusal === 'end'
    ? 'The chain ends and needs a human.'
    : 'The agent continues without this command.';
}

const HOLDS =
  'It stays refused in every tier and chain of the incident, in any spelling, until someone allows it again.';

/** Returns what became of a decided request, as a sentence; null while it waits. */
export function aftermath(approval: ApprovalDto, now: Date): string | null {
  const { kind, status, tier, usedAt, expiresAt, allowedAgain } = approval;
  switch (status) {
    case 'pending':
      return null;
    case 'approved':
      if (kind === 'tier') return `Tier ${tier} may start once. Its session shows whether it did.`;
      if (usedAt) return null;
      return new Date(expiresAt) > now
        ? 'Not used yet. Only the agent that requested it can use it, once.'
        : 'The approval expired before the agent used it.';
    case 'refused':
      return allowedAgain
        ? `${refusalEffect(approval)} ${allowedAgain.person} has allowed it again since.`
        : `${refusalEffect(approval)} ${HOLDS}`;
    case 'expired':
      return 'Nobody decided in time, so it didn’t happen.';
    case 'withdrawn':
      return 'The agent or its chain ended before anyone decided, so it didn’t happen.';
  }
}
