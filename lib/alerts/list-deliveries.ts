import { z } from 'zod';
import type { TenantScope } from '@/lib/platform/db/scope';
import { inTransaction } from '@/lib/platform/db/tenant-db';
import { cutText, sanitizeForPostgres } from '@/lib/platform/format/text';
import { decodeCursor, pageOf } from '@/lib/platform/http/cursor';
import { encodeId } from '@/lib/platform/ids';
import { createRedactor } from '@/lib/platform/redaction/redactor';
import { type DeliveryRow, listDeliveryRows } from './delivery-data';
import { type AlertDeliveryDto, alertDeliveryDtoSchema } from './delivery-schema';
import { requireSource } from './manage-sources';

/**
 * Returns what a source has sent, newest first: accepted and rejected requests.
 *
 * @throws NotFoundError for a source that isn't the organization's
 */
export async function listDeliveries(
  scope: TenantScope,
  sourceId: string,
  page: { limit: number; cursor?: string | undefined },
): Promise<{ data: AlertDeliveryDto[]; nextCursor: string | null }> {
  const beforeId = decodeCursor(page.cursor, z.uuid());
  const found = await inTransaction(scope, async (db) => {
    const source = await requireSource(db, sourceId);
    return listDeliveryRows(db, source.id, { limit: page.limit, beforeId });
  });
  const { rows, nextCursor } = pageOf(found, page.limit, (row) => row.id);
  return { data: rows.map(toDeliveryDto), nextCursor };
}

const MAX_EXCERPT = 4_000;
const redactor = createRedactor({ secrets: [] });

function toDeliveryDto(row: DeliveryRow): AlertDeliveryDto {
  return alertDeliveryDtoSchema.parse({
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
