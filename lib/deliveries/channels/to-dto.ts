import { encodeId } from '@/lib/platform/ids';
import { messageSchema } from '../message';
import { deliveryStatusSchema } from '../outbox/schema';
import { type ChannelRow, type LastMessageRow, quietHoursOf } from './data';
import { type ChannelDto, channelDtoSchema } from './schema';

export function toChannelDto(row: ChannelRow, last: LastMessageRow | undefined): ChannelDto {
  return {
    id: encodeId('ntc', row.id),
    kind: channelDtoSchema.shape.kind.parse(row.kind),
    name: row.name,
    target: row.target,
    outcomes: row.outcomes,
    eventTypes: row.eventTypes,
    projectId: row.projectId && encodeId('prj', row.projectId),
    alertsOnly: row.alertsOnly,
    quietHours: quietHoursOf(row),
    createdAt: row.createdAt.toISOString(),
    failingSince: row.failingSince?.toISOString() ?? null,
    disabledAt: row.disabledAt?.toISOString() ?? null,
    disabledReason: row.disabledReason,
    last: last ? lastOf(last) : null,
  };
}

function lastOf(row: LastMessageRow): NonNullable<ChannelDto['last']> {
  const [attempt] = row.log;
  return {
    id: encodeId('dlv', row.id),
    eventType: row.eventType,
    title: messageSchema.parse(JSON.parse(row.body)).title,
    status: deliveryStatusSchema.parse(row.status),
    attempts: row.attempts,
    at: (attempt?.at ?? row.createdAt).toISOString(),
    nextAttemptAt: row.nextAttemptAt?.toISOString() ?? null,
    result: attempt ? attempt.responseExcerpt || String(attempt.status ?? '') || null : null,
  };
}
