/** The feed of a project: what people should know of it. */

import { z } from 'zod';
import { encodeId } from '@/lib/platform/ids';
import { levelSchema } from '@/lib/protocol/events';
import type { FeedRow } from './data';

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

export interface FeedQuery {
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

export interface FeedPage {
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
