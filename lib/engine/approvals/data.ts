import type { Approval, ApprovalVote, Prisma } from '@/generated/prisma/client';
import { toJson } from '@/lib/platform/db/raw';
import type { OrganizationId } from '@/lib/platform/db/scope';
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

const ENDS_CHAIN = { kind: 'command', status: 'refused', onRefusal: 'end' } as const;

/** Returns a session's first refused command whose refusal ends the chain. */
export function findFinalRefusal(
  db: TenantDb,
  sessionId: string,
): Promise<VotedApprovalRow | null> {
  return db.approval.findFirst({
    where: { ...ENDS_CHAIN, sessionId },
    orderBy: { id: 'asc' },
    include: { votes: { orderBy: { votedAt: 'asc' } } },
  });
}

/**
 * Hands on to the attempt that continues a conversation what people have decided about commands that
 * haven't run, and what they have still to decide.
 */
export async function giveTo(db: TenantDb, attemptId: string, granteeId: string): Promise<void> {
  await db.approval.updateMany({
    where: {
      granteeId: attemptId,
      kind: 'command',
      status: { in: ['pending', 'approved', 'refused'] },
      usedAt: null,
    },
    data: { granteeId },
  });
}

/** Makes approvals usable again whose commands an attempt was allowed to run, and never ran. */
export async function giveBack(
  db: TenantDb,
  granteeId: string,
  usedNumbers: readonly number[],
): Promise<Approval[]> {
  const where = { granteeId, usedNumber: { in: [...usedNumbers] } };
  const used = await db.approval.findMany({ where });
  await db.approval.updateMany({ where, data: { usedAt: null, usedNumber: null } });
  return used;
}

/**
 * Locks the session's attempt that hasn't ended, as claims, settlements and requests of runners do.
 * Null once the session can't run. A settlement that was faster has left another attempt.
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

interface NewApprovalRow
  extends Omit<Prisma.ApprovalUncheckedCreateInput, 'argv' | 'files' | 'services' | 'votes'> {
  argv: readonly string[] | null;
  files: readonly object[];
  services: readonly string[];
}

export async function insertApproval(
  db: TenantDb,
  { argv, files, services, ...row }: NewApprovalRow,
): Promise<void> {
  await db.approval.create({
    data: {
      ...row,
      ...(argv === null ? {} : { argv: [...argv] }),
      files: files.map((file) => toJson(file)),
      services: [...services],
    },
  });
}
