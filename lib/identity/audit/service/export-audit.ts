import type { TenantScope } from '@/lib/platform/db/scope';
import { inTransaction } from '@/lib/platform/db/tenant-db';
import { toEntryDto } from '../entry-dto';
import { type AuditFormat, exportHead, exportLines } from '../export/formats';
import type { AuditFilter } from '../schema';
import { type AuditRow, listAuditRows } from '../search/data';
import { requireReader, withProjectId } from './read-audit';

const BATCH = 1_000;

/**
 * All entries that match, newest first, read batch by batch while they are taken. Entries that
 * are written meanwhile are not part of it, since it walks away from the newest.
 *
 * @throws ForbiddenError, NotFoundError before the first part
 */
export async function exportAudit(
  scope: TenantScope,
  filter: AuditFilter,
  format: AuditFormat,
): Promise<AsyncIterable<string>> {
  requireReader(scope);
  const wanted = await inTransaction(scope, (db) => withProjectId(db, filter));
  return parts(scope, wanted, format);
}

async function* parts(scope: TenantScope, wanted: AuditFilter, format: AuditFormat) {
  yield exportHead(format);
  for (let before: number | null = null; before !== 0; ) {
    const found: AuditRow[] = await readBatch(scope, wanted, before);
    const entries = found.slice(0, BATCH).map(toEntryDto);
    yield exportLines(format, entries);
    before = found.length > BATCH ? (entries.at(-1)?.seq ?? 0) : 0;
  }
}

function readBatch(scope: TenantScope, wanted: AuditFilter, before: number | null) {
  return inTransaction(scope, (db) => listAuditRows(db, wanted, { limit: BATCH, before }));
}
