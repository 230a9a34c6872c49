import type { TenantDb } from '@/lib/platform/db/tenant-db';
import { LIST_COUNT_LIMIT } from '@/lib/platform/format/count';
import { type Place, pageArgs, type TwoWayQuery } from '@/lib/platform/http/cursor';
import { idSince } from '@/lib/platform/ids';
import type { SessionQuery } from './schema';

/** Ids are UUIDs; null: any. */
export type SessionMatch = Omit<SessionQuery, 'project' | 'runner' | keyof TwoWayQuery> & {
  projectId: string | null;
  runnerId: string | null;
};

function matching(match: SessionMatch) {
  const { since } = match;
  return {
    ...matchingAtAnyTime(match),
    ...(since ? { createdAt: within(since, match.until), id: { gte: idSince(since) } } : {}),
  };
}

function matchingAtAnyTime(match: SessionMatch) {
  const { projectId, status, tier, runnerId, end, text } = match;
  const isByAttempt = runnerId !== null || end !== undefined;
  return {
    kind: 'tier',
    ...(projectId ? { projectId } : {}),
    ...(status ? { status } : {}),
    ...(tier ? { tier } : {}),
    ...(isByAttempt
      ? { attempts: { some: { ...(runnerId ? { runnerId } : {}), ...(end ? { end } : {}) } } }
      : {}),
    ...(text ? { OR: textMatches(text) } : {}),
    ...withHop(match),
  };
}

/** As the plot of escalations counts them: a fallback is a handoff after a failed resume. */
function withHop({ hop, reason }: SessionMatch) {
  if (!hop && !reason) return {};
  const mechanism = hop === 'resume' ? 'resume' : 'handoff';
  const isOne = hop !== undefined && hop !== 'any';
  return {
    parentSessionId: { not: null },
    mechanism: isOne ? mechanism : { in: ['resume', 'handoff'] },
    ...(hop === 'fallback' ? { isFallback: true } : {}),
    ...(hop === 'handoff' && !reason ? { isFallback: false } : {}),
    ...(reason
      ? {
          decisions: {
            some: { kind: 'continuation', reason, ...(isOne ? { verdict: mechanism } : {}) },
          },
        }
      : {}),
  };
}

const LARGEST_NUMBER = 2_147_483_647;

function textMatches(text: string) {
  const contains = { contains: text, mode: 'insensitive' } as const;
  const number = Number(/^#?(\d{1,10})$/.exec(text.trim())?.[1] ?? Number.NaN);
  return [
    { statusText: contains },
    { model: contains },
    { report: { path: ['summary'], string_contains: text, mode: 'insensitive' as const } },
    ...(number <= LARGEST_NUMBER ? [{ number }] : []),
  ];
}

function within(since: Date, until: Date | undefined) {
  return { gte: since, ...(until ? { lt: until } : {}) };
}

/**
 * Chains with a session that matches, newest first, one more than asked for. Cut by the chain's id alone,
 * since an index holds sessions in that order: a page then reads a page of it.
 */
export async function listMatchingChains(
  db: TenantDb,
  match: SessionMatch,
  place: Place,
): Promise<string[]> {
  const { since, until } = match;
  const { id, orderBy, take } = pageArgs(place);
  const rows = await db.session.groupBy({
    by: ['chainId'],
    where: {
      ...matchingAtAnyTime(match),
      ...(since ? { createdAt: within(since, until) } : {}),
      chainId: {
        not: null,
        ...(since ? { gte: idSince(since) } : {}),
        ...id,
      },
    },
    orderBy: { chainId: orderBy.id },
    take,
  });
  const ids = rows.flatMap((row) => row.chainId ?? []);
  return place.afterId ? ids.reverse() : ids;
}

export async function listMatchingIds(
  db: TenantDb,
  match: SessionMatch,
  chainIds: readonly string[],
): Promise<Set<string>> {
  const rows = await db.session.findMany({
    where: { ...matching(match), chainId: { in: [...chainIds] } },
    select: { id: true },
  });
  return new Set(rows.map((row) => row.id));
}

export function countMatches(db: TenantDb, match: SessionMatch): Promise<number> {
  return db.session.count({ where: matching(match), take: LIST_COUNT_LIMIT + 1 });
}

/** Returns the sum over the ledger in micro-dollars. */
export async function sumMatches(db: TenantDb, match: SessionMatch): Promise<bigint> {
  const { _sum } = await db.ledgerEntry.aggregate({
    where: {
      session: matching(match),
      // Said of the entry too, or the ledger of all time is read.
      ...(match.since ? { sessionId: { gte: idSince(match.since) } } : {}),
    },
    _sum: { costMicros: true },
  });
  return _sum.costMicros ?? 0n;
}

/** Turns of conversations whose numbers lie between two, the newest first. */
export function listAskSessions(
  db: TenantDb,
  projectId: string,
  between: { from: number; to: number },
  limit: number,
) {
  return db.session.findMany({
    where: { projectId, kind: 'ask', number: { gte: between.from, lte: between.to } },
    select: {
      number: true,
      turn: { select: { conversationId: true, conversation: { select: { deletedAt: true } } } },
    },
    orderBy: { number: 'desc' },
    take: limit,
  });
}
