import type { TenantScope } from '@/lib/platform/db/scope';
import { inTransaction } from '@/lib/platform/db/tenant-db';
import { writeCsv } from '@/lib/platform/format/csv';
import { escapeHidden } from '@/lib/platform/format/visible-text';
import { type AuditRow, listAuditRows } from './data';
import { requireReader, withProjectId } from './read-audit';
import { type AuditEntryDto, type AuditFilter, type AuditFormat, toEntryDto } from './schema';

const BATCH = 1_000;

/**
 * Yields all matching entries, newest first, read in batches as they are consumed. Entries written
 * during the export are not included, since it walks away from the newest.
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

const COLUMNS = [
  'seq',
  'at',
  'actor',
  'actor_name',
  'action',
  'target',
  'project',
  'before',
  'after',
  'facts',
  'hash',
];

/** Returns what precedes the first entry. The byte order mark makes Excel read it as UTF-8. */
export function exportHead(format: AuditFormat): string {
  return format === 'csv' ? `\uFEFF${writeCsv([COLUMNS])}` : '';
}

/** Returns a batch of entries, one per line. */
export function exportLines(format: AuditFormat, entries: readonly AuditEntryDto[]): string {
  if (format === 'jsonl') {
    return entries.map((entry) => `${escapeHidden(JSON.stringify(entry))}\n`).join('');
  }
  return writeCsv(entries.map(csvRow));
}

function csvRow({ detail, ...entry }: AuditEntryDto) {
  const { before, after, ...facts } = detail;
  return [
    entry.seq,
    entry.at,
    entry.actor,
    entry.actorLabel,
    entry.action,
    entry.target,
    entry.project,
    jsonOf(before),
    jsonOf(after),
    Object.keys(facts).length > 0 ? jsonOf(facts) : null,
    entry.hash,
  ];
}

function jsonOf(value: unknown): string | null {
  return value === undefined ? null : JSON.stringify(value);
}
