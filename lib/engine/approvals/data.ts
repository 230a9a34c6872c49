import { sql } from 'kysely';
import type { Approval, ApprovalVote, Prisma } from '@/generated/prisma/client';
import { fromJson, toJson } from '@/lib/platform/db/raw';
import type { OrganizationId } from '@/lib/platform/db/scope';
import { anyOf, query, rowsOf } from '@/lib/platform/db/sql';
import type { TenantDb } from '@/lib/platform/db/tenant-db';
import { type AttemptRow, lockAttempt } from '../attempt/data';
import { approvalStatusSchema } from '../statuses';
import type { CommandApproval } from './judge';
import type { Refusal } from './refusals';
import { storedArgv } from './words';

export type ApprovalRow = Approval;
export type VotedApprovalRow = Approval & { votes: ApprovalVote[] };

/** Begins a query for approvals with their votes, first vote first. */
function voted(organizationId: OrganizationId) {
  const votes = sql<
    Record<string, unknown>[]
  >`(select coalesce(jsonb_agg(to_jsonb(v) order by v.voted_at), '[]')
    from approval_vote v where v.organization_id = approval.organization_id and v.approval_id = approval.id)`;
  return query
    .selectFrom('approval')
    .selectAll()
    .select(votes.as('votes'))
    .where('organizationId', '=', organizationId);
}

async function votedRows(
  db: TenantDb,
  approvals: ReturnType<typeof voted>,
): Promise<VotedApprovalRow[]> {
  const rows = await rowsOf(db, approvals);
  return rows.map((row) => ({ ...row, votes: row.votes.map(fromJson<ApprovalVote>) }));
}

/** Returns all approvals of a session, oldest first, with their votes. */
export function listOfSession(db: TenantDb, sessionId: string): Promise<VotedApprovalRow[]> {
  return votedRows(db, voted(db.organizationId).where('sessionId', '=', sessionId).orderBy('id'));
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

/**
 * Returns what people have refused in a project and nobody has allowed again, oldest first: in this chain, and
 * in those of incidents that last. A chain that no incident is linked with counts until a chain has
 * found everything healthy and the incidents that had begun before are over.
 *
 * @param chainId null for a turn of a conversation
 */
export async function listRefusals(
  db: TenantDb,
  { projectId, chainId }: { projectId: string; chainId: string | null },
): Promise<Refusal[]> {
  const isRemembered = sql<boolean>`(chain_id = ${chainId}::uuid or exists (select from (
      select count(*) as links, bool_or(i.state <> 'resolved') as lasts from incident_chain k
      join incident i on i.organization_id = k.organization_id and i.id = k.incident_id
      where k.organization_id = approval.organization_id and k.chain_id = approval.chain_id
    ) linked where linked.lasts or (linked.links = 0 and (
      exists (select from incident i where i.organization_id = approval.organization_id
        and i.project_id = approval.project_id and i.state <> 'resolved' and i.started_at <= approval.decided_at)
      or not exists (select from chain c where c.organization_id = approval.organization_id
        and c.project_id = approval.project_id and c.outcome in ('healthy', 'fixed') and c.ended_at >= approval.decided_at)))))`;
  const refused = await votedRows(
    db,
    voted(db.organizationId)
      .where('projectId', '=', projectId)
      .where('status', '=', 'refused')
      .where('allowedAgainAt', 'is', null)
      .where(isRemembered)
      .orderBy('decidedAt')
      .orderBy('id'),
  );
  return refused.map(({ id, tier, argv, decidedAt, requestedAt, ...row }) => ({
    ...{ id, tier, argv: storedArgv(argv), decidedAt: decidedAt ?? requestedAt },
    refusal: refusalClause(row),
  }));
}

export function findApproval(db: TenantDb, id: string): Promise<VotedApprovalRow | null> {
  return db.approval.findFirst({ where: { id }, include: { votes: true } });
}

/** Returns a session's first refused command whose refusal ends the chain. */
export async function findFinalRefusal(
  db: TenantDb,
  sessionId: string,
): Promise<VotedApprovalRow | null> {
  const [first] = await votedRows(
    db,
    voted(db.organizationId)
      .where('sessionId', '=', sessionId)
      .where('kind', '=', 'command')
      .where('status', '=', 'refused')
      .where('onRefusal', '=', 'end')
      .where('allowedAgainAt', 'is', null)
      .orderBy('id')
      .limit(1),
  );
  return first ?? null;
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

/** An attempt or some of its commands, or a chain. */
export type PendingOf =
  | { attemptId: string; commandNumbers?: readonly number[] }
  | { chainId: string };

/** @returns the requests that were pending until now */
export function withdrawRows(
  db: TenantDb,
  of: PendingOf,
  now: Date,
): Promise<Pick<Approval, 'id' | 'projectId' | 'chainId' | 'requestedAt'>[]> {
  const withdrawn = query
    .updateTable('approval')
    .set({ status: 'withdrawn', decidedAt: now })
    .where('organizationId', '=', db.organizationId)
    .where('status', '=', 'pending')
    .returning(['id', 'projectId', 'chainId', 'requestedAt']);
  if ('chainId' in of) return rowsOf(db, withdrawn.where('chainId', '=', of.chainId));
  const own = withdrawn.where('attemptId', '=', of.attemptId);
  const { commandNumbers } = of;
  return rowsOf(db, commandNumbers ? own.where('commandNumber', '=', anyOf(commandNumbers)) : own);
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
export async function lockLiveAttempt(db: TenantDb, sessionId: string): Promise<AttemptRow | null> {
  for (;;) {
    const live = await db.attempt.findFirst({
      where: { sessionId, status: { not: 'ended' } },
      select: { id: true },
    });
    if (live === null) return null;
    const attempt = await lockAttempt(db, live.id);
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
