import { encodeId } from '@/lib/ids';
import { type DeliveryDto, deliveryStatusSchema } from './schema';

export interface DeliveryRow {
  id: string;
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
    log: log.map(({ number, at, status, durationMs, error, responseExcerpt }) => ({
      number,
      at: at.toISOString(),
      status,
      durationMs,
      error,
      responseExcerpt,
    })),
  };
}
