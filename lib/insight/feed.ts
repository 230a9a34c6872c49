/** The event feed of a project. */

import { z } from 'zod';
import type { TenantScope } from '@/lib/platform/db/scope';
import { inTransaction, type TenantDb } from '@/lib/platform/db/tenant-db';
import { twoWayPage } from '@/lib/platform/http/cursor';
import { encodeId, requireId } from '@/lib/platform/ids';
import { requireProject } from '@/lib/projects/manage-project';
import { levelSchema } from '@/lib/protocol/events';

const feedEventSchema = z.object({
  /** `evt_…` */
  id: z.string(),
  level: levelSchema,
  code: z.string(),
  message: z.string(),
  service: z.string().nullable(),
  at: z.string(),
  project: z.object({ slug: z.string(), name: z.string() }),
  session: z.object({ number: z.number().int(), tier: z.number().int() }).nullable(),
});
export type FeedEvent = z.infer<typeof feedEventSchema>;

interface FeedQuery {
  /** `prj_…` or slug; every project of the organization without it. */
  project?: string | undefined;
  level?: FeedEvent['level'] | undefined;
  service?: string | undefined;
  text?: string | undefined;
  /** `evt_…`: the ones older or newer than it. */
  before?: string | undefined;
  after?: string | undefined;
  limit: number;
}

interface FeedPage {
  /** Newest first. */
  data: FeedEvent[];
  olderThan: string | null;
  newerThan: string | null;
  /** For the filter. */
  services: string[];
}

export function toFeedEvent(row: FeedRow): FeedEvent {
  return {
    id: encodeId('evt', row.id),
    level: levelSchema.parse(row.level),
    code: row.code,
    message: row.message,
    service: row.service,
    at: row.at.toISOString(),
    project: row.project,
    session: row.session,
  };
}

/** Returns a page of the feed, newest first, with cursors in both directions. */
export function listFeed(scope: TenantScope, query: FeedQuery): Promise<FeedPage> {
  const beforeId = query.before ? requireId('evt', query.before) : null;
  const afterId = query.after ? requireId('evt', query.after) : null;
  const { level, service, text, limit } = query;
  return inTransaction(scope, async (db) => {
    const projectId = query.project ? (await requireProject(db, query.project)).id : null;
    const found = await listFeedRows(db, {
      projectId,
      level,
      service,
      text,
      beforeId,
      afterId,
      limit,
    });
    const { rows, hasNewer, hasOlder } = twoWayPage(found, query);
    const [first, last] = [rows[0], rows.at(-1)];
    return {
      data: rows.map(toFeedEvent),
      newerThan: first && hasNewer ? encodeId('evt', first.id) : null,
      olderThan: last && hasOlder ? encodeId('evt', last.id) : null,
      services: await listServiceNames(db, projectId),
    };
  });
}

interface FeedRowQuery {
  projectId: string | null;
  chainId?: string | undefined;
  level?: string | undefined;
  service?: string | undefined;
  /** In the message. */
  text?: string | undefined;
  beforeId: string | null;
  afterId: string | null;
  limit: number;
}

/**
 * Returns rows newest first, one more than requested. `afterId` returns the rows right above it.
 */
export async function listFeedRows(db: TenantDb, query: FeedRowQuery) {
  const { projectId, chainId, level, service, text, beforeId, afterId } = query;
  const isUpwards = afterId !== null;
  const rows = await db.projectEvent.findMany({
    where: {
      ...(projectId ? { projectId } : {}),
      ...(chainId ? { chainId } : {}),
      ...(level ? { level } : {}),
      ...(service ? { service } : {}),
      ...(text ? { message: { contains: text, mode: 'insensitive' as const } } : {}),
      ...(isUpwards ? { id: { gt: afterId } } : beforeId ? { id: { lt: beforeId } } : {}),
    },
    orderBy: { id: isUpwards ? 'asc' : 'desc' },
    take: query.limit + 1,
    include: {
      project: { select: { slug: true, name: true } },
      session: { select: { number: true, tier: true } },
    },
  });
  return isUpwards ? rows.reverse() : rows;
}
type FeedRow = Awaited<ReturnType<typeof listFeedRows>>[number];

/** Names of what a project watches now; of all projects without one. */
export async function listServiceNames(db: TenantDb, projectId: string | null): Promise<string[]> {
  const rows = await db.service.findMany({
    where: { removedAt: null, ...(projectId ? { projectId } : {}) },
    orderBy: [{ position: 'asc' }, { name: 'asc' }],
    select: { name: true },
    take: 200,
  });
  return [...new Set(rows.map((row) => row.name))];
}
