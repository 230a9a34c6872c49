import { z } from 'zod';
import type { TenantScope } from '@/lib/platform/db/scope';
import { inTransaction } from '@/lib/platform/db/tenant-db';
import { cutText, sanitizeForPostgres } from '@/lib/platform/format/text';
import { decodeCursor, pageOf } from '@/lib/platform/http/cursor';
import { encodeId } from '@/lib/platform/ids';
import { createRedactor } from '@/lib/platform/redaction/redactor';
import { requireSource } from './manage-sources';
import { listRequestRows, type RequestRow } from './request-data';
import { type SignalRequestDto, signalRequestDtoSchema } from './request-schema';

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
