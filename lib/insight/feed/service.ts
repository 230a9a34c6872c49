import type { TenantScope } from '@/lib/platform/db/scope';
import { inTransaction } from '@/lib/platform/db/tenant-db';
import { twoWayPage } from '@/lib/platform/http/cursor';
import { encodeId, requireId } from '@/lib/platform/ids';
import { requireProject } from '@/lib/projects/manage-project';
import { listFeedRows, listServiceNames } from './data';
import { type FeedPage, type FeedQuery, toFeedEvent } from './schema';

/** A page of the feed, newest first, with the way to both sides. */
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
