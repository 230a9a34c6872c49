import { ChevronRight } from 'lucide-react';
import { Time } from '@/app/_components/status/time';
import type { AuditEntryDto } from '@/lib/identity/audit/schema';
import { formatCount } from '@/lib/platform/format/count';
import { actionWords } from './action-words';
import { entryActor } from './audit-view';
import { EntryDetail } from './entry-detail';

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
