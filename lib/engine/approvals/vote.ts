/** Whether a person may decide about an approval, and its status after that. Pure. */
import { hasRole, type Role } from '@/lib/platform/db/roles';
import type { ApproverRole } from '@/lib/projects/approval-settings';
import type { ApprovalStatus, ApprovalVerdict } from '../statuses';

interface VotedApproval {
  status: ApprovalStatus;
  digest: string;
  expiresAt: Date;
  minRole: ApproverRole;
  peopleNeeded: number;
  /** E-mail of the person who started the chain. */
  requester: string | null;
  votes: readonly { person: string; verdict: ApprovalVerdict }[];
}

interface Ballot {
  /** E-mail; null if nobody knows which person is behind a token. */
  person: string | null;
  /** At this moment; null: not a member now. */
  role: Role | null;
  verdict: ApprovalVerdict;
  /** Of what the person has seen. */
  digest: string;
}

export type VoteOutcome =
  | { kind: 'counted'; status: 'pending' | 'approved' | 'refused' }
  /** Not by this person. */
  | { kind: 'forbidden'; message: string }
  /** By nobody, as things are now. */
  | { kind: 'conflict'; message: string };

/**
 * Counts one person's decision. A refusal decides at once; an approval once enough people have given
 * theirs. Nobody decides twice, and nobody about what they have started themselves.
 */
export function countVote(approval: VotedApproval, ballot: Ballot, now: Date): VoteOutcome {
  const closed = whyClosed(approval, now);
  if (closed !== null) return { kind: 'conflict', message: closed };
  if (ballot.digest !== approval.digest) {
    return { kind: 'conflict', message: CHANGED };
  }
  const forbidden = whyForbidden(approval, ballot);
  if (forbidden !== null) return { kind: 'forbidden', message: forbidden };
  if (approval.votes.some(({ person }) => person === ballot.person)) {
    const message = 'You have approved it already. Another person has to approve it, too.';
    return { kind: 'conflict', message };
  }
  if (ballot.verdict === 'refuse') return { kind: 'counted', status: 'refused' };
  const approvals = approval.votes.filter(({ verdict }) => verdict === 'approve').length + 1;
  const isEnough = approvals >= approval.peopleNeeded;
  return { kind: 'counted', status: isEnough ? 'approved' : 'pending' };
}

/**
 * Returns why a person can't take a refusal back, as those may who may decide about the request; null if they can.
 */
export function whyNotAllowedAgain(
  approval: Pick<VotedApproval, 'status' | 'digest' | 'requester' | 'minRole'> & {
    allowedAgainAt: Date | null;
  },
  ballot: Omit<Ballot, 'verdict'>,
): Exclude<VoteOutcome, { kind: 'counted' }> | null {
  if (approval.status !== 'refused') return { kind: 'conflict', message: 'Nobody has refused it.' };
  if (approval.allowedAgainAt !== null) {
    return { kind: 'conflict', message: 'It has been allowed again already.' };
  }
  if (ballot.digest !== approval.digest) return { kind: 'conflict', message: CHANGED };
  const forbidden = whyForbidden(approval, ballot);
  return forbidden === null ? null : { kind: 'forbidden', message: forbidden };
}

const CHANGED = 'This isn’t the request that you were shown. Reload, and look at it again.';

function whyClosed({ status, expiresAt }: VotedApproval, now: Date): string | null {
  switch (status) {
    case 'approved':
      return 'It has been approved already.';
    case 'refused':
      return 'It has been refused already.';
    case 'withdrawn':
      return 'Nobody waits for it now: the agent or its chain has ended.';
    case 'expired':
      return 'It has expired.';
    case 'pending':
      return expiresAt <= now ? 'It has expired.' : null;
  }
}

/** Returns why a person may not decide about an approval; null if they may. */
export function whyForbidden(
  { requester, minRole }: Pick<VotedApproval, 'requester' | 'minRole'>,
  { person, role }: Pick<Ballot, 'person' | 'role'>,
): string | null {
  if (person === null || role === null) {
    return 'Only a member can decide. Sign in, or use a token that a member has created.';
  }
  if (!hasRole(role, minRole)) {
    return minRole === 'admin'
      ? 'An admin has to decide about this.'
      : 'An operator or admin has to decide about this.';
  }
  if (person === requester) return 'You started this chain, so another person has to decide.';
  return null;
}
