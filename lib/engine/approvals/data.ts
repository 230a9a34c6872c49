import type { Approval, ApprovalVote } from '@/generated/prisma/client';
import { Prisma } from '@/generated/prisma/client';
import { queryRaw } from '@/lib/platform/db/raw';
import { asRole, type Role } from '@/lib/platform/db/roles';
import type { OrganizationId, TenantScope } from '@/lib/platform/db/scope';
import type { TenantDb } from '@/lib/platform/db/tenant-db';
import { type AttemptRow, lockAttempt } from '../attempt/data';
import { approvalStatusSchema } from '../statuses';
import type { CommandApproval } from './judge';

export type ApprovalRow = Approval;
export type VotedApprovalRow = Approval & { votes: ApprovalVote[] };

/** Returns all approvals of a session, oldest first, with their votes. */
export function listOfSession(db: TenantDb, sessionId: string): Promise<VotedApprovalRow[]> {
  return db.approval.findMany({
    where: { sessionId },
    orderBy: { id: 'asc' },
    include: { votes: { orderBy: { votedAt: 'asc' } } },
  });
}

/** Returns a row as a command is judged by. */
export function toCommandApproval(row: VotedApprovalRow): CommandApproval {
  return { ...row, status: approvalStatusSchema.parse(row.status), refusal: refusalClause(row) };
}

/** `Ana refused it: wait for the backup`; null if nobody refused. */
export function refusalClause({ votes }: Pick<VotedApprovalRow, 'votes'>): string | null {
  const vote = votes.find(({ verdict }) => verdict === 'refuse');
  if (!vote) return null;
  const note = vote.note.replace(/[.\s]+$/, '');
  return `${vote.person} refused it${note === '' ? '' : `: ${note}`}`;
}

export function findApproval(db: TenantDb, id: string): Promise<VotedApprovalRow | null> {
  return db.approval.findFirst({ where: { id }, include: { votes: true } });
}

/**
 * Closes what is pending of an attempt or a chain, because nobody waits for it now. Returns how many
 * there were.
 */
export async function withdrawPending(
  db: TenantDb,
  of: { attemptId: string } | { chainId: string },
  now: Date,
): Promise<number> {
  const { count } = await db.approval.updateMany({
    where: { ...of, status: 'pending' },
    data: { status: 'withdrawn', decidedAt: now },
  });
  return count;
}

/** Gives what a session has decided, and what is still pending, to the attempt that continues it. */
export async function giveTo(db: TenantDb, attemptId: string, granteeId: string): Promise<void> {
  await db.approval.updateMany({
    where: { attemptId, status: { in: ['pending', 'approved'] }, usedAt: null },
    data: { granteeId },
  });
}

/**
 * Locks the session's attempt that hasn't ended, as claims, settlements and the runner's requests do.
 * Null once nothing of the session can run. A settlement that was faster has left another one.
 */
export async function lockLiveAttempt(
  db: TenantDb,
  organizationId: OrganizationId,
  sessionId: string,
): Promise<AttemptRow | null> {
  for (;;) {
    const live = await db.attempt.findFirst({
      where: { sessionId, status: { not: 'ended' } },
      select: { id: true },
    });
    if (live === null) return null;
    const attempt = await lockAttempt(db, organizationId, live.id);
    if (attempt && attempt.status !== 'ended') return attempt;
  }
}

/**
 * Returns the person who acts: e-mail and role at this moment. The person behind a token is the member
 * who created it. Null if there is no such member.
 */
export async function findPerson(
  db: TenantDb,
  { organizationId, actor }: Pick<TenantScope, 'organizationId' | 'actor'>,
): Promise<{ email: string; role: Role } | null> {
  const [row] = await queryRaw<{ email: string; role: string }>(
    db,
    Prisma.sql`select u.email, m.role from membership m join user_account u on u.id = m.user_id
      where m.organization_id = ${organizationId}::uuid and ${isActor(organizationId, actor)} for share of m`,
  );
  return row ? { email: row.email, role: asRole(row.role) } : null;
}

function isActor(organizationId: OrganizationId, { kind, id }: TenantScope['actor']): Prisma.Sql {
  if (kind === 'user') return Prisma.sql`m.user_id = ${id}::uuid`;
  if (kind !== 'api_token') return Prisma.sql`false`;
  return Prisma.sql`u.email = (select t.created_by from api_token t
    where t.organization_id = ${organizationId}::uuid and t.id = ${id}::uuid)`;
}
