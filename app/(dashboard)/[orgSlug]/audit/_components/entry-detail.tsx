import Link from 'next/link';
import { Time } from '@/app/_components/status/time';
import { CopyId } from '@/app/_components/ui/copy-id';
import type { AuditEntryDto } from '@/lib/identity/audit/schema';
import { type DetailRow, detailRows } from './detail-rows';

interface EntryDetailProps {
  orgSlug: string;
  entry: AuditEntryDto;
  /** Null where it is about none. */
  projectName: string | null;
}

export function EntryDetail({ orgSlug, entry, projectName }: EntryDetailProps) {
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
