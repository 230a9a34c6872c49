/** What a start waits for that people decide. Pure. */
import type { AttemptEnd } from '@/lib/agents/attempt-end';
import { ENDS_BEFORE_WORK } from '../ending/end-plan';
import type { ApprovalFact } from '../start-policy/facts';
import type { ApprovalStatus } from '../statuses';

interface DecidedApproval {
  kind: string;
  status: ApprovalStatus;
  attemptId: string;
  granteeId: string | null;
  onRefusal: string;
  expiresAt: Date;
  usedAt: Date | null;
  /** What is decided about, as the subject of a sentence. */
  title: string;
  /** Who refused it and why, as a clause; null if nobody did. */
  refusal: string | null;
}

interface Start {
  attemptId: string;
  purpose: string;
  /** Whether a person has to approve each start of the tier. */
  needsApproval: boolean;
  /** Earlier attempts of the session, with how they ended. */
  earlier: readonly { id: string; end: AttemptEnd | null }[];
}

/** Returns what people have still to decide before a start, or have decided against it; null: nothing. */
export function approvalFact(
  approvals: readonly DecidedApproval[],
  start: Start,
  now: Date,
): ApprovalFact | null {
  if (start.purpose === 'approval') return afterCommands(approvals, start, now);
  return start.purpose === 'tier' && start.needsApproval ? ofTier(approvals, start, now) : null;
}

/**
 * A conversation continues once all its commands are decided. A refusal that ends the chain needs no other
 * decision. One that expired ends it, unless it has the approval for another.
 */
function afterCommands(
  approvals: readonly DecidedApproval[],
  { attemptId }: Start,
  now: Date,
): ApprovalFact | null {
  const own = approvals.filter(({ granteeId }) => granteeId === attemptId);
  const refused = own.find((each) => each.status === 'refused' && each.onRefusal === 'end');
  if (refused) return { kind: 'refused', title: refused.title, refusal: refused.refusal };
  const pending = own.filter((each) => each.status === 'pending');
  const [open] = pending;
  if (open && pending.some(({ expiresAt }) => expiresAt > now)) {
    return { kind: 'pending', title: open.title };
  }
  const isApproved = own.some((each) => each.status === 'approved' && each.expiresAt > now);
  const expired = pending[0] ?? own.find(({ status }) => status === 'expired');
  return expired && !isApproved ? { kind: 'expired', title: expired.title } : null;
}

/**
 * Returns what people were last asked about the start of a tier. Each start needs its own approval,
 * except after one in which no work began: that has returned its approval.
 */
export function requestOfStart<Row extends Pick<DecidedApproval, 'kind' | 'attemptId' | 'usedAt'>>(
  approvals: readonly Row[],
  { attemptId, earlier }: Pick<Start, 'attemptId' | 'earlier'>,
) {
  const unbegun = earlier.filter(({ end }) => end !== null && ENDS_BEFORE_WORK.includes(end));
  const attempts = [attemptId, ...unbegun.map(({ id }) => id)];
  const own = approvals.filter((each) => each.kind === 'tier' && attempts.includes(each.attemptId));
  const newest = own.at(-1);
  return newest?.usedAt === null ? newest : null;
}

function ofTier(
  approvals: readonly DecidedApproval[],
  start: Start,
  now: Date,
): ApprovalFact | null {
  const newest = requestOfStart(approvals, start);
  if (newest === null) return { kind: 'unasked' };
  const { title, refusal } = newest;
  switch (newest.status) {
    case 'approved':
      return newest.expiresAt > now ? null : { kind: 'expired', title };
    case 'refused':
      return { kind: 'refused', title, refusal };
    case 'pending':
      return newest.expiresAt > now ? { kind: 'pending', title } : { kind: 'expired', title };
    default:
      return { kind: 'expired', title };
  }
}
