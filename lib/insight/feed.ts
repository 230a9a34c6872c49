/** The event feed of a project. */

import { z } from 'zod';
import type { TenantScope } from '@/lib/platform/db/scope';
import { inTransaction, type TenantDb } from '@/lib/platform/db/tenant-db';
import {
  type Place,
  pageArgs,
  placeOf,
  type TwoWayEnds,
  type TwoWayQuery,
  twoWayPage,
} from '@/lib/platform/http/cursor';
import { encodeId } from '@/lib/platform/ids';
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

interface FeedQuery extends TwoWayQuery {
  /** `prj_…` or slug; every project of the organization without it. */
  project?: string | undefined;
  level?: FeedEvent['level'] | undefined;
  service?: string | undefined;
  text?: string | undefined;
}

interface FeedPage extends TwoWayEnds {
  /** Newest first. */
  data: FeedEvent[];
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
export function listFeed(
  scope: TenantScope,
  { project, level, service, text, ...asked }: FeedQuery,
): Promise<FeedPage> {
  const place = placeOf('evt', asked);
  return inTransaction(scope, async (db) => {
    const projectId = project ? (await requireProject(db, project)).id : undefined;
    const found = await listFeedRows(db, { projectId, level, service, text }, place);
    const { rows, ...ends } = twoWayPage(found, asked, ({ id }) => encodeId('evt', id));
    return {
      data: rows.map(toFeedEvent),
      ...ends,
      services: await listServiceNames(db, projectId ?? null),
    };
  });
}

interface FeedFilter {
  projectId?: string | undefined;
  chainId?: string | undefined;
  level?: string | undefined;
  service?: string | undefined;
  /** In the message. */
  text?: string | undefined;
}

/** Returns rows newest first, one more than requested. */
export async function listFeedRows(db: TenantDb, { text, ...filter }: FeedFilter, place: Place) {
  const { id, ...page } = pageArgs(place);
  const message = text ? { contains: text, mode: 'insensitive' as const } : undefined;
  const rows = await db.projectEvent.findMany({
    where: { ...filter, message, id },
    ...page,
    include: {
      project: { select: { slug: true, name: true } },
      session: { select: { number: true, tier: true } },
    },
  });
  return place.afterId ? rows.reverse() : rows;
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
