import { z } from 'zod';
import { sessionStatusSchema } from '@/lib/engine/statuses';
import type { TenantScope } from '@/lib/platform/db/scope';
import { inTransaction } from '@/lib/platform/db/tenant-db';
import { writeCsv } from '@/lib/platform/format/csv';
import { decodeId } from '@/lib/platform/ids';
import { requireProject } from '@/lib/projects/manage-project';
import { costsOfSessions, listSessionsOfChains } from './data';
import { listMatchingChains, listMatchingIds, type SessionMatch } from './match-data';
import { HOP_FILTERS, type SessionItem } from './schema';
import { toSessionItem } from './to-dto';

/** The filters of the list as its address has them; `from` and `to` stand in place of a range. */
export const exportQuerySchema = z.object({
  project: z.string().max(200).optional(),
  status: sessionStatusSchema.optional(),
  tier: z.coerce.number().int().min(1).max(3).optional(),
  runner: z.string().max(40).optional(),
  end: z.string().max(40).optional(),
  q: z.string().max(200).optional(),
  hop: z.enum(HOP_FILTERS).optional(),
  reason: z.string().max(200).optional(),
  from: z.iso.datetime().optional(),
  to: z.iso.datetime().optional(),
});
type ExportQuery = z.output<typeof exportQuerySchema>;

/** Chains read at once. */
const BATCH = 200;

const COLUMNS = [
  'session',
  'project',
  'chain',
  'tier',
  'model',
  'status',
  'reason',
  'created',
  'started',
  'ended',
  'duration (s)',
  'cost (USD)',
  'estimated',
];

/**
 * Returns every session of a list as CSV, newest chain first, read in batches while it is sent.
 * Throws NotFoundError before the first part for a project that isn't there.
 */
export async function exportSessions(
  scope: TenantScope,
  query: ExportQuery,
): Promise<AsyncIterable<string>> {
  const { project, status, tier, end, q, hop, reason, from, to } = query;
  const projectId = project
    ? (await inTransaction(scope, (db) => requireProject(db, project))).id
    : null;
  return parts(scope, {
    projectId,
    status,
    tier,
    end,
    runnerId: query.runner ? decodeId('rnr', query.runner) : null,
    text: q,
    hop,
    reason,
    since: from ? new Date(from) : undefined,
    until: to ? new Date(to) : undefined,
  });
}

async function* parts(scope: TenantScope, match: SessionMatch) {
  // The mark tells Excel that it is UTF-8.
  yield `\uFEFF${writeCsv([COLUMNS])}`;
  for (let beforeId: string | null = null; ; ) {
    const batch = await readBatch(scope, match, beforeId);
    yield writeCsv(batch.sessions.map(csvRow));
    if (batch.next === null) return;
    beforeId = batch.next;
  }
}

function readBatch(scope: TenantScope, match: SessionMatch, beforeId: string | null) {
  return inTransaction(scope, async (db) => {
    const found = await listMatchingChains(db, match, { beforeId, afterId: null, limit: BATCH });
    const chainIds = found.slice(0, BATCH);
    const matches = await listMatchingIds(db, match, chainIds);
    const rows = (await listSessionsOfChains(db, chainIds)).filter(({ id }) => matches.has(id));
    const costs = await costsOfSessions(db, rows);
    const order = new Map(chainIds.map((id, index) => [id, index]));
    return {
      sessions: rows
        .toSorted(
          (one, other) =>
            (order.get(one.chainId) ?? 0) - (order.get(other.chainId) ?? 0) ||
            other.number - one.number,
        )
        .map((row) => toSessionItem(row, costs.get(row.id))),
      next: found.length > BATCH ? (chainIds.at(-1) ?? null) : null,
    };
  });
}

function csvRow(session: SessionItem) {
  return [
    session.number,
    session.project.slug,
    session.chainNumber,
    session.tier,
    session.model,
    session.status,
    session.statusText,
    session.createdAt,
    session.startedAt,
    session.endedAt,
    session.durationMs === null ? null : session.durationMs / 1_000,
    // A process reports its cost when it ends: until then it is unknown, not zero.
    session.endedAt === null && session.costUsd === 0 ? null : session.costUsd,
    session.isCostEstimated ? 'yes' : 'no',
  ];
}
