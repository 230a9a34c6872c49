import { z } from 'zod';
import { getChainRow } from '@/lib/engine/chains/chain-rows';
import type { SessionKind, SessionStatus } from '@/lib/engine/statuses';
import type { TenantScope } from '@/lib/platform/db/scope';
import { inTransaction, type TenantDb } from '@/lib/platform/db/tenant-db';
import { LIST_COUNT_LIMIT } from '@/lib/platform/format/count';
import { decodeCursor, pageOf, placeOf, twoWayPage } from '@/lib/platform/http/cursor';
import { encodeId, requireId } from '@/lib/platform/ids';
import { requireProject } from '@/lib/projects/manage-project';
import { costsOfSessions, listRunnerNames, listSessionRows, listSessionsOfChains } from './data';
import {
  countMatches,
  listAskSessions,
  listMatchingChains,
  listMatchingIds,
  type SessionMatch,
  sumMatches,
} from './match-data';
import type { ListedSession, SessionPage, SessionQuery } from './schema';
import { toListedSession, toSessionItem } from './to-dto';

interface ListSessionsInput {
  limit: number;
  cursor?: string | undefined;
  /** `prj_…` or slug. */
  project?: string | undefined;
  /** `chn_…` */
  chain?: string | undefined;
  tier?: number | undefined;
  status?: SessionStatus | undefined;
  /** Those of chains, or those that worked out turns of conversations. */
  kind: SessionKind;
}

/** Returns sessions newest first. */
export function listSessions(
  scope: TenantScope,
  input: ListSessionsInput,
): Promise<{ data: ListedSession[]; nextCursor: string | null }> {
  const { limit, cursor, tier, status, kind } = input;
  const beforeId = decodeCursor(cursor, z.uuid());
  return inTransaction(scope, async (db) => {
    const project = input.project ? await requireProject(db, input.project) : null;
    const chain = input.chain ? await getChainRow(db, requireId('chn', input.chain)) : null;
    const filter = { kind, projectId: project?.id, chainId: chain?.id, tier, status };
    const found = await listSessionRows(db, filter, { limit, beforeId });
    const { rows, nextCursor } = pageOf(found, limit, (row) => row.id);
    const costs = await costsOfSessions(db, rows);
    return { data: rows.map((row) => toListedSession(row, costs.get(row.id))), nextCursor };
  });
}

/** Returns a page of sessions by chain, newest first, with sums over all matches. */
export function browseSessions(scope: TenantScope, query: SessionQuery): Promise<SessionPage> {
  const place = placeOf('chn', query);
  const runnerId = query.runner ? requireId('rnr', query.runner) : null;
  const { status, tier, end, text, hop, reason, since, until } = query;
  return inTransaction(scope, async (db) => {
    const projectId = query.project ? (await requireProject(db, query.project)).id : null;
    const match = { projectId, status, tier, runnerId, end, text, hop, reason, since, until };
    const found = await listMatchingChains(db, match, place);
    const { rows: chainIds, ...ends } = twoWayPage(found, query, (id) => encodeId('chn', id));
    const sessions = await listSessionsOfChains(db, chainIds);
    const matches = await listMatchingIds(db, match, chainIds);
    const costs = await costsOfSessions(db, sessions);
    return {
      groups: chainIds.flatMap((chainId) => {
        const own = sessions.filter((session) => session.chainId === chainId);
        const [root] = own;
        // Deleted since.
        if (!root) return [];
        const spent = own.flatMap((session) => costs.get(session.id) ?? []);
        return {
          chainId: encodeId('chn', chainId),
          chainNumber: root.chain.number,
          chainCostMicros: Number(spent.reduce((sum, cost) => sum + cost.micros, 0n)),
          isCostEstimated: spent.some((cost) => cost.isEstimated),
          sessionCount: own.length,
          sessions: own
            .filter((session) => matches.has(session.id))
            .reverse()
            .map((session) => toSessionItem(session, costs.get(session.id))),
        };
      }),
      ...ends,
      total: await totalOf(db, match),
      askNumbers: projectId ? await askNumbersAmong(db, projectId, sessions) : [],
      runners: (await listRunnerNames(db)).map((row) => ({
        id: encodeId('rnr', row.id),
        name: row.name,
      })),
    };
  });
}

const MAX_ASK_NUMBERS = 50;

async function askNumbersAmong(
  db: TenantDb,
  projectId: string,
  sessions: readonly { number: number }[],
): Promise<SessionPage['askNumbers']> {
  if (sessions.length === 0) return [];
  const numbers = sessions.map(({ number }) => number);
  const between = { from: Math.min(...numbers), to: Math.max(...numbers) };
  const rows = await listAskSessions(db, projectId, between, MAX_ASK_NUMBERS);
  return rows.map(({ number, turn }) => ({
    number,
    conversationId:
      turn && turn.conversation.deletedAt === null ? encodeId('cnv', turn.conversationId) : null,
  }));
}

async function totalOf(db: TenantDb, match: SessionMatch): Promise<SessionPage['total']> {
  const count = await countMatches(db, match);
  const costMicros = count > LIST_COUNT_LIMIT ? null : Number(await sumMatches(db, match));
  return { count, costMicros };
}
