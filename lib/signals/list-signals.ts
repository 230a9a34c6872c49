import { z } from 'zod';
import type { TenantScope } from '@/lib/platform/db/scope';
import { inTransaction } from '@/lib/platform/db/tenant-db';
import { decodeCursor, pageOf, pageQuerySchema } from '@/lib/platform/http/cursor';
import { encodeId } from '@/lib/platform/ids';
import { requireProject } from '@/lib/projects/manage-project';
import { requireSource } from './manage-sources';
import {
  type SignalDto,
  signalDtoSchema,
  signalSeveritySchema,
  signalStatusSchema,
} from './schema';
import { listSignalRows, type SignalRow } from './signal-data';

export const signalQuerySchema = pageQuerySchema.extend({
  project: z.string().optional(),
  source: z.string().optional(),
  status: signalStatusSchema.optional(),
  severity: signalSeveritySchema.optional(),
  /** The name of a service of the project. */
  service: z.string().optional(),
});
export type SignalQuery = z.infer<typeof signalQuerySchema>;

/**
 * Returns alerts, newest first.
 *
 * @throws NotFoundError for a project or source that isn't the organization's
 */
export async function listSignals(
  scope: TenantScope,
  query: SignalQuery,
): Promise<{ data: SignalDto[]; nextCursor: string | null }> {
  const beforeId = decodeCursor(query.cursor, z.uuid());
  const { limit, status, severity, service } = query;
  const found = await inTransaction(scope, async (db) => {
    const projectId = query.project ? (await requireProject(db, query.project)).id : undefined;
    const sourceId = query.source ? (await requireSource(db, query.source)).id : undefined;
    const filter = { projectId, sourceId, status, severity, serviceName: service };
    return listSignalRows(db, filter, { limit, beforeId });
  });
  const { rows, nextCursor } = pageOf(found, limit, (row) => row.id);
  return { data: rows.map(toSignalDto), nextCursor };
}

function toSignalDto(row: SignalRow): SignalDto {
  return signalDtoSchema.parse({
    ...row,
    id: encodeId('alt', row.id),
    projectId: encodeId('prj', row.projectId),
    sourceId: encodeId('als', row.sourceId),
    service: row.service?.name ?? null,
    startedAt: row.startedAt.toISOString(),
    firstSeenAt: row.firstSeenAt.toISOString(),
    lastSeenAt: row.lastSeenAt.toISOString(),
    endedAt: row.endedAt?.toISOString() ?? null,
  });
}
