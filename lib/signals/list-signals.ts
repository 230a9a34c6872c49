import { z } from 'zod';
import type { TenantScope } from '@/lib/platform/db/scope';
import { inTransaction } from '@/lib/platform/db/tenant-db';
import { cutText, sanitizeForPostgres } from '@/lib/platform/format/text';
import { decodeCursor, pageOf, pageQuerySchema } from '@/lib/platform/http/cursor';
import { encodeId } from '@/lib/platform/ids';
import { createRedactor } from '@/lib/platform/redaction/redactor';
import { requireProject } from '@/lib/projects/manage-project';
import { requireSource } from './manage-sources';
import { listRequestRows, type RequestRow } from './request-data';
import { type SignalRequestDto, signalRequestDtoSchema } from './request-schema';
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

/**
 * Returns what a source has sent, newest first: accepted and rejected requests.
 *
 * @throws NotFoundError for a source that isn't the organization's
 */
export async function listRequests(
  scope: TenantScope,
  sourceId: string,
  page: { limit: number; cursor?: string | undefined },
): Promise<{ data: SignalRequestDto[]; nextCursor: string | null }> {
  const beforeId = decodeCursor(page.cursor, z.uuid());
  const found = await inTransaction(scope, async (db) => {
    const source = await requireSource(db, sourceId);
    return listRequestRows(db, source.id, { limit: page.limit, beforeId });
  });
  const { rows, nextCursor } = pageOf(found, page.limit, (row) => row.id);
  return { data: rows.map(toRequestDto), nextCursor };
}

const MAX_EXCERPT = 4_000;
const redactor = createRedactor({ secrets: [] });

function toRequestDto(row: RequestRow): SignalRequestDto {
  return signalRequestDtoSchema.parse({
    ...row,
    id: encodeId('ald', row.id),
    excerpt: row.body && excerptOf(row.body),
    receivedAt: row.receivedAt.toISOString(),
    processedAt: row.processedAt?.toISOString() ?? null,
  });
}

/** Redacted before it is cut, since half a secret has no known form. */
function excerptOf(body: Uint8Array): string {
  const text = Buffer.from(body.subarray(0, MAX_EXCERPT * 4)).toString('utf8');
  return cutText(redactor.text(sanitizeForPostgres(text)), MAX_EXCERPT);
}
