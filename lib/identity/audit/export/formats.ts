import { writeCsv } from '@/lib/platform/format/csv';
import type { AuditEntryDto } from '../schema';

export const AUDIT_FORMATS = ['csv', 'jsonl'] as const;
export type AuditFormat = (typeof AUDIT_FORMATS)[number];

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

/** What stands before the first entry. The mark tells Excel that it is UTF-8. */
export function exportHead(format: AuditFormat): string {
  return format === 'csv' ? `\uFEFF${writeCsv([COLUMNS])}` : '';
}

/** A batch of entries, each on a line of its own. */
export function exportLines(format: AuditFormat, entries: readonly AuditEntryDto[]): string {
  if (format === 'jsonl') return entries.map((entry) => `${JSON.stringify(entry)}\n`).join('');
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
