import { z } from 'zod';
import type { TenantScope } from '@/lib/platform/db/scope';
import { inTransaction } from '@/lib/platform/db/tenant-db';
import { decodeCursor, pageOf, pageQuerySchema } from '@/lib/platform/http/cursor';
import { encodeId } from '@/lib/platform/ids';
import { requireProject } from '@/lib/projects/manage-project';
import { type AlertRow, listAlertRows } from './alert-data';
import { requireSource } from './manage-sources';
import { type AlertDto, alertDtoSchema, alertSeveritySchema, alertStatusSchema } from './schema';

export const alertQuerySchema = pageQuerySchema.extend({
  project: z.string().optional(),
  source: z.string().optional(),
  status: alertStatusSchema.optional(),
  severity: alertSeveritySchema.optional(),
  /** The name of a service of the project. */
  service: z.string().optional(),
});
export type AlertQuery = z.infer<typeof alertQuerySchema>;

/**
 * Returns alerts, newest first.
 *
 * @throws NotFoundError for a project or source that isn't the organization's
 */
export async function listAlerts(
  scope: TenantScope,
  query: AlertQuery,
): Promise<{ data: AlertDto[]; nextCursor: string | null }> {
  const beforeId = decodeCursor(query.cursor, z.uuid());
  const { limit, status, severity, service } = query;
  const found = await inTransaction(scope, async (db) => {
    const projectId = query.project ? (await requireProject(db, query.project)).id : undefined;
    const sourceId = query.source ? (await requireSource(db, query.source)).id : undefined;
    const filter = { projectId, sourceId, status, severity, serviceName: service };
    return listAlertRows(db, filter, { limit, beforeId });
  });
  const { rows, nextCursor } = pageOf(found, limit, (row) => row.id);
  return { data: rows.map(toAlertDto), nextCursor };
}

function toAlertDto(row: AlertRow): AlertDto {
  return alertDtoSchema.parse({
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
