'use client';

import { Command } from 'cmdk';
import { usePathname } from 'next/navigation';
import { Dialog as RadixDialog } from 'radix-ui';
import { useEffect, useState } from 'react';
import { DOC_PAGES } from '@/app/docs/_pages/pages';
import { SEARCHED_COMMANDS, SEARCHED_REPORTS } from '@/lib/insight/search/limits';
import type { Places, TextHits } from '@/lib/insight/search/schema';
import { loadPart } from '../reach/load-part';
import { usePalette } from '../shell/palette-context';
import { usePreferences } from '../shell/preferences-context';
import type { ShellData } from '../shell/shell-data';
import { SafeText } from '../ui/safe-text';
import { type Loaded, paletteGroups } from './entries';
import type { PaletteAct, PaletteEntry } from './entry';
import type { DocPlace } from './found-entries';

interface PaletteProps {
  data: ShellData;
  onAct: (act: PaletteAct) => void;
}

/** Everything that can be reached or done from here, found by typing. */
export function Palette({ data, onAct }: PaletteProps) {
  const { isOpen, setOpen } = usePalette();
  const { preferences } = usePreferences();
  const pathname = usePathname();
  const [typed, setTyped] = useState('');
  const { state, ...loaded } = useFound(data.organization.slug, isOpen, typed);
  const groups = paletteGroups(data, pathname, preferences, typed, loaded);

  function changeOpen(next: boolean) {
    setOpen(next);
    if (!next) setTyped('');
  }

  function choose({ act }: PaletteEntry) {
    changeOpen(false);
    onAct(act);
  }

  return (
    <RadixDialog.Root open={isOpen} onOpenChange={changeOpen}>
      <RadixDialog.Portal>
        <RadixDialog.Overlay className="fixed inset-0 z-40 bg-scrim" />
        <RadixDialog.Content
          aria-describedby={undefined}
          className="fixed top-[12vh] left-1/2 z-50 w-[min(36rem,calc(100vw-2rem))] -translate-x-1/2 animate-enter overflow-hidden rounded-dialog border border-line bg-surface shadow-dialog max-md:top-4"
        >
          <RadixDialog.Title className="sr-only">Search or run a command</RadixDialog.Title>
          <Command label="Search or run a command" loop shouldFilter={false}>
            <Command.Input
              autoFocus
              value={typed}
              onValueChange={setTyped}
              placeholder="Search or run a command"
              className="h-12 w-full border-line border-b bg-transparent px-4 text-body -outline-offset-2 placeholder:text-text-3"
            />
            <Command.List className="max-h-[min(26rem,60vh)] overflow-y-auto p-1">
              <Command.Empty className="px-3 py-4 text-text-2 text-ui">
                <EmptyText typed={typed.trim()} state={state} />
              </Command.Empty>
              {groups.map(({ heading, entries }) => (
                <Command.Group
                  key={heading}
                  heading={heading}
                  className="[&_[cmdk-group-heading]]:px-3 [&_[cmdk-group-heading]]:pt-2 [&_[cmdk-group-heading]]:pb-1 [&_[cmdk-group-heading]]:text-meta [&_[cmdk-group-heading]]:text-text-3"
                >
                  {entries.map((entry) => (
                    <Entry key={entry.key} entry={entry} onChoose={choose} />
                  ))}
                </Command.Group>
              ))}
            </Command.List>
            <SearchNote state={state} />
          </Command>
        </RadixDialog.Content>
      </RadixDialog.Portal>
    </RadixDialog.Root>
  );
}

const SEARCHED = `the newest ${SEARCHED_REPORTS.toLocaleString('en')} reports and ${SEARCHED_COMMANDS.toLocaleString('en')} commands`;

/** Says what was searched, so that nobody takes a gap in the search for a gap in the data. */
function EmptyText({ typed, state }: { typed: string; state: SearchState }) {
  if (state === 'searching') return `Searching ${SEARCHED}…`;
  if (state === 'failed')
    return `No page, setting, service, runner, person or command matches “${typed}”.`;
  return `Nothing matches “${typed}”. Searched: pages, settings, projects, services, runners, people, documentation, numbers and ids, and the words of ${SEARCHED}.`;
}

/** The state of the search over stored text, always of the same height. */
function SearchNote({ state }: { state: SearchState }) {
  const text =
    state === 'failed'
      ? 'The server didn’t answer, so reports and commands weren’t searched.'
      : state === 'searching'
        ? 'Searching reports and commands…'
        : `Finds names, numbers, ids, and words of ${SEARCHED}.`;
  return (
    <p role="status" className="border-line border-t px-4 py-2 text-meta text-text-3">
      {text}
    </p>
  );
}

interface EntryProps {
  entry: PaletteEntry;
  onChoose: (entry: PaletteEntry) => void;
}

function Entry({ entry, onChoose }: EntryProps) {
  const { label, detail, snippet, refusal } = entry;
  return (
    <Command.Item
      value={entry.key}
      disabled={refusal !== undefined}
      onSelect={() => onChoose(entry)}
      className="flex min-h-9 cursor-pointer flex-wrap items-center justify-between gap-x-4 gap-y-0.5 rounded-badge px-3 py-1.5 text-ui data-[disabled=true]:cursor-default data-[selected=true]:bg-hover data-[disabled=true]:text-text-3 pointer-coarse:min-h-11"
    >
      {snippet ? (
        <span className="min-w-0 basis-full break-words">
          {snippet.map((part, index) =>
            part.isMatch ? (
              // biome-ignore lint/suspicious/noArrayIndexKey: parts of one text never change places
              <mark key={index} className="bg-transparent font-semibold text-text underline">
                <SafeText text={part.text} />
              </mark>
            ) : (
              // biome-ignore lint/suspicious/noArrayIndexKey: as above
              <SafeText key={index} text={part.text} />
            ),
          )}
        </span>
      ) : (
        <span className="min-w-0 truncate">{label}</span>
      )}
      {(refusal ?? detail) ? (
        <span className="min-w-0 text-meta text-text-3">{refusal ?? detail}</span>
      ) : null}
    </Command.Item>
  );
}

/** A search waits until nothing was typed for this long. */
const PAUSE_MS = 180;

const PAGES: readonly DocPlace[] = DOC_PAGES.map(({ slug, title }) => ({
  page: title,
  heading: null,
  href: `/docs/${slug}`,
}));

const client = () => loadPart(() => import('./search-client'));

/** `failed`: the server didn't answer, so stored text wasn't searched. */
type SearchState = 'idle' | 'searching' | 'done' | 'failed';

interface Search {
  query: string;
  state: SearchState;
  hits: TextHits | null;
}

const IDLE: Search = { query: '', state: 'idle', hits: null };

/** Loads names when the palette opens, and searches stored text while somebody types. */
function useFound(
  organization: string,
  isOpen: boolean,
  typed: string,
): Loaded & { state: SearchState } {
  const [places, setPlaces] = useState<Places | null>(null);
  const [docs, setDocs] = useState<readonly DocPlace[]>(PAGES);
  const [search, setSearch] = useState(IDLE);
  const query = isOpen ? typed.trim() : '';

  useEffect(() => {
    if (!isOpen) return;
    let isCurrent = true;
    const load = async () => {
      const { loadPlaces, loadDocs } = await client();
      // Names are missing where this fails; pages and commands are there, and search says why.
      const [found, manual] = await Promise.allSettled([loadPlaces(organization), loadDocs()]);
      if (!isCurrent) return;
      if (found.status === 'fulfilled') setPlaces(found.value);
      if (manual.status === 'fulfilled') setDocs(manual.value);
    };
    void load();
    return () => {
      isCurrent = false;
    };
  }, [isOpen, organization]);

  useEffect(() => {
    if (query === '') return setSearch(IDLE);
    const abort = new AbortController();
    setSearch((before) => ({ ...before, query, state: 'searching' }));
    const timer = setTimeout(async () => {
      try {
        const { searchText } = await client();
        const hits = await searchText(organization, query, abort.signal);
        if (!abort.signal.aborted) setSearch({ query, state: 'done', hits });
      } catch {
        if (!abort.signal.aborted) setSearch({ query, state: 'failed', hits: null });
      }
    }, PAUSE_MS);
    return () => {
      clearTimeout(timer);
      abort.abort();
    };
  }, [organization, query]);

  return { places, docs, hits: search.hits, state: search.state };
}
