/** Whether people's decisions let a command run. Pure. */
import type { CommandHold } from '@/lib/protocol/commands';
import type { ApprovalStatus } from '../statuses';

/** One approval of the session, as far as a command is concerned. */
export interface CommandApproval {
  id: string;
  /** The attempt that asked, and the number of its command. */
  attemptId: string;
  commandNumber: number | null;
  status: ApprovalStatus;
  runnerId: string | null;
  commandDigest: string | null;
  heldUntil: Date | null;
  expiresAt: Date;
  /** The one attempt that may use it. */
  granteeId: string | null;
  usedNumber: number | null;
  decidedAt: Date | null;
  /** Whether a refusal ends the chain, or is for the agent to work with. */
  onRefusal: string;
  /** When a person took the refusal back. */
  allowedAgainAt: Date | null;
  /** Who refused it and why, as a clause; null if nobody did. */
  refusal: string | null;
}

export interface AskedCommand {
  attemptId: string;
  number: number;
  digest: string;
  runnerId: string;
}

export type Judgement =
  /** A person has approved exactly this command, and it has not been used. */
  | { kind: 'use'; id: string; decidedAt: Date }
  | { kind: 'waiting'; id: string; isHeld: boolean }
  | { kind: 'refused'; code: CommandHold; message: string }
  /** A person has refused it, and with it the rest of the chain. */
  | { kind: 'ends'; id: string }
  /** Nobody has been asked about it. */
  | { kind: 'ask' };

/** Pending approvals of one attempt. An agent in a loop must not fill the inbox. */
export const MAX_PENDING = 10;
/** Of one session, whatever became of them. */
export const MAX_OF_SESSION = 30;
/** Of one command for which the agent didn't wait. */
export const MAX_WITHDRAWN = 3;

/**
 * Decides about a command that needs approval: by the approval that it has asked for itself, or by one
 * that an earlier attempt of the session asked for and a person gave to this attempt.
 */
export function judgeCommand(
  approvals: readonly CommandApproval[],
  command: AskedCommand,
  now: Date,
): Judgement {
  const own = approvals.find(
    (each) => each.attemptId === command.attemptId && each.commandNumber === command.number,
  );
  if (own) return judgeOwn(own, command, now);
  const same = approvals.filter((each) => isSame(each, command));
  const grant = same.find((each) => isUsable(each, command, now));
  if (grant) return use(grant);
  const tooMany = tooManySentence(approvals, same, command);
  return tooMany === null ? { kind: 'ask' } : refusal('too_many_approvals', tooMany);
}

type PersonalRefusal =
  | Extract<Judgement, { kind: 'ends' }>
  | { kind: 'refused'; code: 'approval_refused'; message: string };

/** Whether a person has refused the command. That counts whatever else has happened since. */
export function isRefusedByPerson(judgement: Judgement): judgement is PersonalRefusal {
  return (
    judgement.kind === 'ends' ||
    (judgement.kind === 'refused' && judgement.code === 'approval_refused')
  );
}

function tooManySentence(
  approvals: readonly CommandApproval[],
  same: readonly CommandApproval[],
  { attemptId }: AskedCommand,
): string | null {
  if (approvals.length >= MAX_OF_SESSION) {
    return `This agent has requested approval ${MAX_OF_SESSION} times, which is the most for one session.`;
  }
  if (same.filter(({ status }) => status === 'withdrawn').length >= MAX_WITHDRAWN) {
    return `This agent has requested approval for it ${MAX_WITHDRAWN} times without waiting for an answer.`;
  }
  const isPending = (each: CommandApproval) =>
    each.attemptId === attemptId && each.status === 'pending';
  if (approvals.filter(isPending).length < MAX_PENDING) return null;
  return `${MAX_PENDING} commands of this agent wait for approval already.`;
}

function judgeOwn(own: CommandApproval, command: AskedCommand, now: Date): Judgement {
  if (!isSame(own, command)) {
    return refusal('approval_withdrawn', 'It is not the command that approval was requested for.');
  }
  switch (own.status) {
    case 'pending': {
      if (own.expiresAt <= now) return refusal('approval_expired', EXPIRED);
      const isHeld = own.heldUntil !== null && now < own.heldUntil;
      return { kind: 'waiting', id: own.id, isHeld };
    }
    case 'approved':
      if (isUsable(own, command, now)) return use(own);
      return refusal('approval_expired', 'Its approval was used or has expired.');
    case 'refused':
      if (own.onRefusal === 'end' && own.allowedAgainAt === null)
        return { kind: 'ends', id: own.id };
      return refusal('approval_refused', refusedSentence(own));
    case 'expired':
      return refusal('approval_expired', EXPIRED);
    case 'withdrawn':
      return refusal('approval_withdrawn', 'The request for its approval was withdrawn.');
  }
}

function use({ id, decidedAt }: CommandApproval): Judgement {
  return { kind: 'use', id, decidedAt: decidedAt ?? new Date(0) };
}

/** Also true for the same request again. */
function isUsable(approval: CommandApproval, command: AskedCommand, now: Date): boolean {
  const { status, granteeId, usedNumber, expiresAt } = approval;
  if (status !== 'approved' || granteeId !== command.attemptId) return false;
  return usedNumber === null ? expiresAt > now : usedNumber === command.number;
}

function isSame({ commandDigest, runnerId }: CommandApproval, command: AskedCommand): boolean {
  return commandDigest === command.digest && runnerId === command.runnerId;
}

const EXPIRED = 'Nobody decided about it in time.';

function refusedSentence({ refusal: clause }: CommandApproval): string {
  return clause === null ? 'A person refused it.' : `${clause}.`;
}

function refusal(code: CommandHold, message: string): Judgement {
  return { kind: 'refused', code, message };
}
