import { sql } from 'kysely';
import { Prisma } from '@/generated/prisma/client';
import { shownUnfinished, type UnfinishedAnswer } from '@/lib/engine/events/unfinished';
import type { SessionKind } from '@/lib/engine/statuses';
import { sqlRows } from '@/lib/platform/db/sql';
import type { TenantDb } from '@/lib/platform/db/tenant-db';
import { NotFoundError } from '@/lib/platform/errors';
import { type Place, pageArgs } from '@/lib/platform/http/cursor';

/** A turn of a conversation is shown with its conversation. */
const OF_A_CHAIN = { kind: 'tier' } as const;

const REF = { id: true, number: true, tier: true } as const;
const RELATED = {
  project: { select: { id: true, slug: true, name: true } },
  chain: { select: { number: true, status: true, outcome: true } },
  parent: { select: REF },
  children: { where: OF_A_CHAIN, select: REF, orderBy: { number: 'asc' } },
} as const;

const TURN_PLACE = {
  conversationId: true,
  position: true,
  conversation: { select: { deletedAt: true } },
} as const;

function inChain<Row extends { chainId: string | null; chain: unknown }>(row: Row) {
  const { chainId, chain } = row;
  if (chainId === null || chain === null) throw new Error('This session belongs to no chain.');
  return { ...row, chainId, chain: chain as NonNullable<Row['chain']> };
}

interface SessionFilter {
  kind: SessionKind;
  projectId: string | undefined;
  chainId: string | undefined;
  tier: number | undefined;
  status: string | undefined;
}

/** Returns sessions newest first. */
export async function listSessionRows(db: TenantDb, filter: SessionFilter, place: Place) {
  const { id, ...page } = pageArgs(place);
  const include = { ...RELATED, turn: { select: TURN_PLACE } };
  return db.session.findMany({ where: { ...filter, id }, ...page, include });
}
export type ListedSessionRow = Awaited<ReturnType<typeof listSessionRows>>[number];

/** Returns the sessions of these chains, in the order they ran. */
export async function listSessionsOfChains(db: TenantDb, chainIds: readonly string[]) {
  const rows = await db.session.findMany({
    where: { chainId: { in: [...chainIds] } },
    orderBy: { number: 'asc' },
    include: RELATED,
  });
  return rows.map(inChain);
}

export type SessionRow = Awaited<ReturnType<typeof listSessionsOfChains>>[number];

/** Returns a session by UUID, or by project and number. Throws NotFoundError. */
export async function getSessionRow(
  db: TenantDb,
  where: { id: string } | { projectId: string; number: number },
): Promise<SessionRow> {
  const row = await db.session.findFirst({ where: { ...where, ...OF_A_CHAIN }, include: RELATED });
  if (!row) throw new NotFoundError();
  return inChain(row);
}

/** Returns a session's state without related rows. Throws NotFoundError. */
export async function getSessionState(db: TenantDb, id: string) {
  const row = await db.session.findFirst({
    where: { id },
    select: {
      projectId: true,
      kind: true,
      status: true,
      statusText: true,
      endedAt: true,
      lastSeq: true,
    },
  });
  if (!row) throw new NotFoundError();
  return row;
}

export async function listExistingSessions(
  db: TenantDb,
  ids: readonly string[],
): Promise<string[]> {
  const rows = await db.session.findMany({ where: { id: { in: [...ids] } }, select: { id: true } });
  return rows.map((row) => row.id);
}

export interface SessionCost {
  micros: bigint;
  isEstimated: boolean;
}

/** Returns the cost of each session, summed over the ledger. */
export async function costsOfSessions(
  db: TenantDb,
  sessions: readonly { id: string }[],
): Promise<Map<string, SessionCost>> {
  const rows = await db.ledgerEntry.groupBy({
    by: ['sessionId', 'isEstimate'],
    where: { sessionId: { in: sessions.map(({ id }) => id) } },
    _sum: { costMicros: true },
  });
  const costs = new Map<string, SessionCost>();
  for (const row of rows) {
    const before = costs.get(row.sessionId);
    costs.set(row.sessionId, {
      micros: (before?.micros ?? 0n) + (row._sum.costMicros ?? 0n),
      isEstimated: (before?.isEstimated ?? false) || row.isEstimate,
    });
  }
  return costs;
}

export function listAttemptRows(db: TenantDb, sessionId: string) {
  return db.attempt.findMany({
    where: { sessionId },
    orderBy: { number: 'asc' },
    include: {
      runner: { select: { id: true, name: true } },
      pool: { select: { name: true } },
      seals: {
        where: { writtenAt: { not: null } },
        select: { bytes: true, storedBytes: true, expiresAt: true, fault: true },
      },
    },
  });
}
export type AttemptWithHost = Awaited<ReturnType<typeof listAttemptRows>>[number];

export function listLedgerRows(db: TenantDb, sessionId: string) {
  return db.ledgerEntry.findMany({ where: { sessionId }, orderBy: { id: 'asc' } });
}
export type LedgerEntryRow = Awaited<ReturnType<typeof listLedgerRows>>[number];

/** Returns decisions in the order they were made. */
export function listDecisionRows(db: TenantDb, of: { sessionId: string } | { chainId: string }) {
  return db.decision.findMany({ where: of, orderBy: { id: 'asc' } });
}
/** What the runner of an attempt compared before it started the process, and how the attempt ended. */
export interface RunnerChecksRow {
  attemptId: string;
  /** Facts found equal; null before the runner reported its command. */
  verified: unknown;
  end: string | null;
}

export function listRunnerChecks(
  db: TenantDb,
  of: { sessionId: string } | { chainId: string },
): Promise<RunnerChecksRow[]> {
  const where =
    'sessionId' in of ? sql`s.id = ${of.sessionId}::uuid` : sql`s.chain_id = ${of.chainId}::uuid`;
  return sqlRows(
    db,
  )<RunnerChecksRow>`select a.id as "attemptId", a.command->'verified' as verified, a.end_kind as end
      from attempt a join session s on s.organization_id = a.organization_id and s.id = a.session_id
      where ${where}`;
}

export type DecisionRow = Awaited<ReturnType<typeof listDecisionRows>>[number];

export function listHandoffRows(
  db: TenantDb,
  of: { sessionId: { in: string[] } } | { chainId: string },
) {
  return db.handoff.findMany({ where: of, orderBy: { id: 'asc' } });
}
export type HandoffRow = Awaited<ReturnType<typeof listHandoffRows>>[number];

/** Returns events in ascending order. `before` returns the last ones below it. */
export async function listEventRows(
  db: TenantDb,
  sessionId: string,
  range: { after: number; before: number | null; limit: number },
) {
  const isBackwards = range.before !== null;
  const rows = await db.sessionEvent.findMany({
    where: {
      sessionId,
      seq: { gt: range.after, ...(range.before === null ? {} : { lt: range.before }) },
    },
    orderBy: { seq: isBackwards ? 'desc' : 'asc' },
    take: range.limit,
  });
  return isBackwards ? rows.reverse() : rows;
}

/** Whether any event of a session is stored. */
export async function hasEvents(db: TenantDb, sessionId: string): Promise<boolean> {
  const row = await db.sessionEvent.findFirst({ where: { sessionId }, select: { seq: true } });
  return row !== null;
}

/** What the requests of a session used, ascending; a request may be there twice, the later counts. */
export async function listRequestUsageRows(db: TenantDb, sessionId: string) {
  return db.sessionEvent.findMany({
    where: { sessionId, kind: 'request_usage' },
    orderBy: { seq: 'asc' },
  });
}

export type SessionEventRow = Awaited<ReturnType<typeof listEventRows>>[number];

/** Returns what the agent of this session is currently writing. */
export async function findUnfinishedAnswer(
  db: TenantDb,
  sessionId: string,
): Promise<UnfinishedAnswer | null> {
  const row = await db.attempt.findFirst({
    where: { sessionId, unfinishedAnswer: { not: Prisma.AnyNull } },
    orderBy: { number: 'desc' },
    select: { unfinishedAnswer: true },
  });
  return row ? shownUnfinished(row.unfinishedAnswer) : null;
}

/**
 * Returns the last text of a session that ended without an answer, if no call followed it: pieces
 * that were kept, or a text, since the CLI says what it has when it is stopped.
 */
export async function findLastWords(db: TenantDb, sessionId: string): Promise<string | null> {
  const [last] = await sqlRows(db)<{
    text: string | null;
  }>`select payload->>'text' as text from session_event
      where organization_id = ${db.organizationId}::uuid and session_id = ${sessionId}::uuid
        and (kind in ('answer_part', 'tool_call') or (kind = 'text' and payload->>'parentToolUseId' is null))
      order by seq desc limit 1`;
  return last?.text?.trim() ? last.text : null;
}

export function listRunnerNames(db: TenantDb) {
  return db.runner.findMany({
    select: { id: true, name: true },
    orderBy: { name: 'asc' },
    take: 200,
  });
}

/** Returns what each process of a session reported, with what was booked for it. */
export function listReportedUsage(db: TenantDb, sessionId: string) {
  return db.attempt.findMany({
    where: { sessionId },
    orderBy: { number: 'asc' },
    select: {
      number: true,
      reportedUsage: true,
      ledger: { select: { model: true, costMicros: true } },
    },
  });
}
