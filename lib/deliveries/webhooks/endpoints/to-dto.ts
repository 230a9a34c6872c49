import { encodeId } from '@/lib/platform/ids';
import type { EndpointDto } from './schema';

export interface EndpointRow {
  id: string;
  projectId: string | null;
  url: string;
  description: string;
  eventTypes: string[];
  secretHint: string;
  createdAt: Date;
  failingSince: Date | null;
  disabledAt: Date | null;
  disabledReason: string | null;
  previousSecretUntil: Date | null;
}

export function toEndpointDto(row: EndpointRow, now: Date): EndpointDto {
  const previousUntil = row.previousSecretUntil;
  return {
    id: encodeId('whk', row.id),
    url: row.url,
    description: row.description,
    eventTypes: row.eventTypes,
    projectId: row.projectId && encodeId('prj', row.projectId),
    secretHint: row.secretHint,
    createdAt: row.createdAt.toISOString(),
    failingSince: row.failingSince?.toISOString() ?? null,
    disabledAt: row.disabledAt?.toISOString() ?? null,
    disabledReason: row.disabledReason,
    previousSecretUntil: previousUntil && previousUntil > now ? previousUntil.toISOString() : null,
  };
}
