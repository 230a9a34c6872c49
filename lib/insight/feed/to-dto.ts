import { encodeId } from '@/lib/platform/ids';
import { levelSchema } from '@/lib/protocol/events';
import type { FeedRow } from './data';
import type { FeedEvent } from './schema';

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
