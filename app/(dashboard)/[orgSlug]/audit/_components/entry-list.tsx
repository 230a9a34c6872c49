import { ChevronRight } from 'lucide-react';
import { Time } from '@/app/_components/status/time';
import { cn } from '@/app/_components/ui/cn';
import { CopyId } from '@/app/_components/ui/copy-button';
import { Link } from '@/app/_components/ui/link';
import type { AuditEntryDto } from '@/lib/identity/audit/schema';
import type { AuditTarget } from '@/lib/insight/audit-targets';
import { formatCount } from '@/lib/platform/format/count';
import { changedFields } from '@/lib/projects/difference';
import { actionWords, entryActor } from './audit-view';
import { targetLink } from './target-link';

interface EntryListProps {
  orgSlug: string;
  entries: readonly AuditEntryDto[];
  projects: readonly { id: string; name: string }[];
  /** By their ids; what was deleted is missing. */
  targets: ReadonlyMap<string, AuditTarget>;
}

// As cards the parts get other display values, which would take these roles away from them.
const ROLES = {
  table: { role: 'table' },
  group: { role: 'rowgroup' },
  row: { role: 'row' },
  header: { role: 'columnheader' },
  cell: { role: 'cell' },
} as const;

const COLUMNS = ['Entry', 'Time', 'Actor', 'Action', 'Target'];
const cellStyle =
  'px-3 py-1 align-middle max-md:block max-md:min-w-0 max-md:px-0 max-md:py-0 md:h-row';

/** Entries as a table, newest first; each opens to its before and after. Works without scripts. */
export function EntryList({ orgSlug, entries, projects, targets }: EntryListProps) {
  const nameOf = new Map(projects.map(({ id, name }) => [id, name]));
  return (
    <div className="overflow-hidden rounded-card border border-line bg-surface">
      <table {...ROLES.table} aria-label="Audit entries" className="w-full text-ui max-md:block">
        <thead {...ROLES.group} className="max-md:sr-only">
          <tr {...ROLES.row}>
            {COLUMNS.map((name) => (
              <th
                key={name}
                {...ROLES.header}
                scope="col"
                className="h-8 whitespace-nowrap px-3 text-left text-meta text-text-3"
              >
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody {...ROLES.group} className="max-md:block">
          {entries.map((entry) => (
            <EntryRows
              key={entry.seq}
              orgSlug={orgSlug}
              entry={entry}
              target={targets.get(entry.target) ?? null}
              projectName={(entry.project && nameOf.get(entry.project)) || null}
            />
          ))}
        </tbody>
      </table>
    </div>
  );
}

interface EntryRowsProps {
  orgSlug: string;
  entry: AuditEntryDto;
  target: AuditTarget | null;
  /** Null where it is about none. */
  projectName: string | null;
}

/** The row of an entry, and below it the row of its details, shown while it is open. */
function EntryRows({ orgSlug, entry, target, projectName }: EntryRowsProps) {
  const { label, href } = targetLink(orgSlug, entry.target, target);
  return (
    <>
      <tr
        {...ROLES.row}
        className="relative border-line border-t hover:bg-hover max-md:grid max-md:grid-cols-[auto_minmax(0,1fr)_auto] max-md:gap-x-3 max-md:px-4 max-md:py-2 max-md:first:border-t-0"
      >
        <td {...ROLES.cell} className={cn(cellStyle, 'whitespace-nowrap md:w-24')}>
          <details className="group">
            <summary
              aria-label={`Entry ${formatCount(entry.seq)}, details`}
              className="inline-flex min-h-6 cursor-pointer list-none items-center gap-1.5 text-text-3 tabular-nums after:absolute after:inset-0 after:content-[''] [&::-webkit-details-marker]:hidden"
            >
              <ChevronRight
                aria-hidden
                className="size-4 transition-transform duration-120 group-open:rotate-90"
              />
              {formatCount(entry.seq)}
            </summary>
          </details>
        </td>
        <td
          {...ROLES.cell}
          className={cn(
            cellStyle,
            'whitespace-nowrap tabular-nums max-md:col-start-3 max-md:row-start-1 max-md:text-meta max-md:text-text-3 md:w-36',
          )}
        >
          <Time at={entry.at} isPlain />
        </td>
        <td
          {...ROLES.cell}
          className={cn(
            cellStyle,
            'text-text-2 max-md:col-span-2 max-md:col-start-2 max-md:row-start-3',
          )}
        >
          {entryActor(entry)}
        </td>
        <td
          {...ROLES.cell}
          className={cn(cellStyle, 'font-medium max-md:col-start-2 max-md:row-start-1')}
        >
          {actionWords(entry.action)}
        </td>
        <td
          {...ROLES.cell}
          className={cn(
            cellStyle,
            'max-w-80 [overflow-wrap:anywhere] max-md:col-span-2 max-md:col-start-2 max-md:row-start-2 max-md:max-w-none',
          )}
        >
          {href ? (
            <Link href={href} className="link relative z-10">
              {label}
            </Link>
          ) : (
            label
          )}
        </td>
      </tr>
      <tr
        {...ROLES.row}
        className="hidden [tr:has(details[open])+&]:md:table-row [tr:has(details[open])+&]:max-md:block"
      >
        <td {...ROLES.cell} colSpan={COLUMNS.length} className="p-0 max-md:block">
          <EntryDetail entry={entry} projectName={projectName} />
        </td>
      </tr>
    </>
  );
}

interface EntryDetailProps {
  entry: AuditEntryDto;
  /** Null where it is about none. */
  projectName: string | null;
}

function EntryDetail({ entry, projectName }: EntryDetailProps) {
  const rows = detailRows(entry.detail);
  return (
    <div className="flex flex-col gap-3 border-line border-t bg-sunken px-4 py-3 text-ui md:pl-10">
      <div className="flex flex-wrap items-center gap-x-4 gap-y-1 text-text-2">
        <code className="text-code">{entry.action}</code>
        <span>
          target <CopyId id={entry.target} label="target’s id" />
        </span>
        {projectName ? <span>project {projectName}</span> : null}
        <Time at={entry.at} form="day" />
        <span>
          hash <CopyId id={entry.hash} label="hash" />
        </span>
      </div>
      {rows.length > 0 ? (
        <dl className="grid grid-cols-[minmax(6rem,max-content)_minmax(0,1fr)] gap-x-6 gap-y-1.5">
          {rows.map((row) => (
            <div key={row.term} className="col-span-2 grid grid-cols-subgrid items-baseline">
              <dt className="text-text-3">{row.term}</dt>
              <dd className="min-w-0">
                <Change row={row} />
              </dd>
            </div>
          ))}
        </dl>
      ) : (
        <p className="text-text-3">This entry has no further details.</p>
      )}
    </div>
  );
}

function Change({ row: { before, after } }: { row: DetailRow }) {
  return (
    <span className="flex flex-col gap-0.5 whitespace-pre-wrap break-words font-mono text-code">
      {before === null ? null : (
        <del className="text-text-3">
          <span className="sr-only">before: </span>
          {before}
        </del>
      )}
      {after === null ? null : (
        <ins className="no-underline">
          <span className="sr-only">after: </span>
          {after}
        </ins>
      )}
    </span>
  );
}

/** One field of an entry: how it was and how it is, or a fact alone. */
interface DetailRow {
  /** The path of the field, such as `tiers.1.model`. */
  term: string;
  /** Null where there is no before. */
  before: string | null;
  /** Null where it is gone. */
  after: string | null;
}

/** Before and after side by side, the same left out, down to single fields; then the other facts. */
export function detailRows(detail: Record<string, unknown>): DetailRow[] {
  const { before, after, changes, ...facts } = detail;
  const differences = [
    ...changedFields(sideOf(before, after), sideOf(after, before)),
    ...(Array.isArray(changes) ? changes.filter(isChange) : []),
  ];
  return [
    ...differences
      .map((change) => ({
        term: change.path || 'value',
        before: textOf(change.before),
        after: textOf(change.after),
      }))
      .filter((row) => row.before !== row.after),
    ...Object.entries(facts).map(([term, value]) => ({
      term,
      before: null,
      after: textOf(value) ?? 'none',
    })),
  ];
}

/** A missing side of a record is an empty one, so that each field of the other shows. */
function sideOf(side: unknown, other: unknown): unknown {
  return side === undefined && isRecord(other) ? {} : withListsAsText(side);
}

/** A list of words is one value. */
function withListsAsText(value: unknown): unknown {
  if (Array.isArray(value)) {
    return value.every((one) => typeof one !== 'object') ? value.join(', ') || 'none' : value;
  }
  if (!isRecord(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [key, withListsAsText(inner)]),
  );
}

function textOf(value: unknown): string | null {
  if (value === undefined || value === null) return null;
  const plain = withListsAsText(value);
  return typeof plain === 'string' ? plain : JSON.stringify(plain, null, 1);
}

function isChange(value: unknown): value is { path: string; before?: unknown; after?: unknown } {
  return isRecord(value) && typeof value.path === 'string';
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
