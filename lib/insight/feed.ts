/** The event feed of a project. */

import { z } from 'zod';
import type { TenantScope } from '@/lib/platform/db/scope';
import { inTransaction } from '@/lib/platform/db/tenant-db';
import { twoWayPage } from '@/lib/platform/http/cursor';
import { encodeId, requireId } from '@/lib/platform/ids';
import { requireProject } from '@/lib/projects/manage-project';
import { levelSchema } from '@/lib/protocol/events';
import { type FeedRow, listFeedRows, listServiceNames } from './feed-data';

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
