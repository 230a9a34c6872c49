import { encodeId } from '@/lib/platform/ids';
import { type DeliveryDto, deliveryStatusSchema, headersSchema } from './schema';

export interface DeliveryRow {
  id: string;
  /** An endpoint's; those to channels and mailboxes have no place in its log. */
  endpointId: string;
  chainId: string | null;
  eventType: string;
  status: string;
  attempts: number;
  nextAttemptAt: Date | null;
  deliveredAt: Date | null;
  createdAt: Date;
  body: string;
}

export interface DeliveryAttemptRow {
  number: number;
  at: Date;
  status: number | null;
  durationMs: number;
  error: string | null;
  responseExcerpt: string;
  requestHeaders: unknown;
  responseHeaders: unknown;
}

export function toDeliveryDto(row: DeliveryRow, log: readonly DeliveryAttemptRow[]): DeliveryDto {
  return {
    id: encodeId('dlv', row.id),
    endpointId: encodeId('whk', row.endpointId),
    chainId: row.chainId && encodeId('chn', row.chainId),
    eventType: row.eventType,
    status: deliveryStatusSchema.parse(row.status),
    attempts: row.attempts,
    nextAttemptAt: row.nextAttemptAt?.toISOString() ?? null,
    deliveredAt: row.deliveredAt?.toISOString() ?? null,
    createdAt: row.createdAt.toISOString(),
    body: row.body,
    log: log.map((attempt) => ({
      number: attempt.number,
      at: attempt.at.toISOString(),
      status: attempt.status,
      durationMs: attempt.durationMs,
      error: attempt.error,
      responseExcerpt: attempt.responseExcerpt,
      requestHeaders: headersSchema.nullable().parse(attempt.requestHeaders),
      responseHeaders: headersSchema.nullable().parse(attempt.responseHeaders),
    })),
  };
}
