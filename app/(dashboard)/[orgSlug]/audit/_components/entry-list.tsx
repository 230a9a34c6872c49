import { ChevronRight } from 'lucide-react';
import { Time } from '@/app/_components/status/time';
import { CopyId } from '@/app/_components/ui/copy-id';
import { Link } from '@/app/_components/ui/link';
import type { AuditEntryDto } from '@/lib/identity/audit/schema';
import { formatCount } from '@/lib/platform/format/count';
import { actionWords } from './action-words';
import { entryActor } from './audit-view';
import { type DetailRow, detailRows } from './detail-rows';

interface EntryListProps {
  orgSlug: string;
  entries: readonly AuditEntryDto[];
  projects: readonly { id: string; name: string }[];
}

/** Newest first; each opens to its before and after. Works without scripts. */
export function EntryList({ orgSlug, entries, projects }: EntryListProps) {
  const nameOf = new Map(projects.map(({ id, name }) => [id, name]));
  return (
    <ol
      aria-label="Audit entries"
      className="overflow-hidden rounded-card border border-line bg-surface"
    >
      {entries.map((entry) => (
        <li key={entry.seq} className="border-line border-t first:border-t-0">
          <details className="group">
            <summary className="grid min-h-row cursor-pointer list-none grid-cols-[1rem_4rem_minmax(0,1.2fr)_minmax(0,1fr)_7rem] items-center gap-x-3 px-3 py-1 text-ui -outline-offset-2 hover:bg-hover max-md:grid-cols-[1rem_minmax(0,1fr)_auto] max-md:gap-y-0.5 max-md:px-4 max-md:py-2 [&::-webkit-details-marker]:hidden">
              <ChevronRight
                aria-hidden
                className="size-4 text-text-3 transition-transform duration-120 group-open:rotate-90 max-md:row-span-2 max-md:self-start"
              />
              <span className="text-right text-text-3 tabular-nums max-md:order-2 max-md:text-meta">
                {formatCount(entry.seq)}
              </span>
              <span className="min-w-0 truncate font-medium max-md:order-1">
                {actionWords(entry.action)}
              </span>
              <span className="min-w-0 truncate text-text-2 max-md:order-3">
                {entryActor(entry)}
              </span>
              <span className="text-right text-meta text-text-3 tabular-nums max-md:order-4">
                <Time at={entry.at} isPlain />
              </span>
            </summary>
            <EntryDetail
              orgSlug={orgSlug}
              entry={entry}
              projectName={(entry.project && nameOf.get(entry.project)) || null}
            />
          </details>
        </li>
      ))}
    </ol>
  );
}

interface EntryDetailProps {
  orgSlug: string;
  entry: AuditEntryDto;
  /** Null where it is about none. */
  projectName: string | null;
}

function EntryDetail({ orgSlug, entry, projectName }: EntryDetailProps) {
  const href = targetHref(orgSlug, entry.target);
  const rows = detailRows(entry.detail);
  return (
    <div className="flex flex-col gap-3 border-line border-t bg-sunken px-4 py-3 text-ui md:pl-10">
      <div className="flex flex-wrap items-center gap-x-4 gap-y-1 text-text-2">
        <code className="text-code">{entry.action}</code>
        <span>
          on <CopyId id={entry.target} label="target’s id" />
          {href ? (
            <Link href={href} className="link ml-1">
              Open
            </Link>
          ) : null}
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
        <p className="text-text-3">There is no more to it.</p>
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

/** Where the target has a page that its id alone leads to. */
function targetHref(orgSlug: string, target: string): string | null {
  if (target.startsWith('rnr_')) return `/${orgSlug}/runners/${target}`;
  if (target.startsWith('whk_')) return `/${orgSlug}/webhooks/${target}`;
  return null;
}
