'use client';

import { Search } from 'lucide-react';
import { useRouter } from 'next/navigation';
import { type FocusEvent, type KeyboardEvent, useEffect, useId, useRef, useState } from 'react';
import { Button } from '@/app/_components/ui/button';
import { Input } from '@/app/_components/ui/input';
import { Kbd } from '@/app/_components/ui/kbd';
import { Link } from '@/app/_components/ui/link';
import { type FoundSection, type IndexedSection, searchSections } from './search-sections';

/**
 * Searches titles, headings and text of the manual in the browser. The index is loaded when the
 * field gets the focus. `/` and Ctrl K focus the field, arrow keys move through the results, and
 * Enter opens the first one.
 */
export function DocSearch() {
  const [query, setQuery] = useState('');
  const [isOpen, setOpen] = useState(false);
  const { sections, hasFailed, load } = useSearchIndex();
  const field = useRef<HTMLInputElement>(null);
  const list = useRef<HTMLUListElement>(null);
  const listId = useId();
  const router = useRouter();
  const found = sections ? searchSections(sections, query) : [];
  const isShown = isOpen && query.trim() !== '';

  useEffect(() => focusByShortcut(field), []);

  function close() {
    setOpen(false);
    setQuery('');
  }

  function move(event: KeyboardEvent) {
    if (event.key === 'Escape') {
      // In this order, since the field opens the results when it gets the focus.
      field.current?.focus();
      setOpen(false);
      return;
    }
    if (event.key !== 'ArrowDown' && event.key !== 'ArrowUp') return;
    const links = [...(list.current?.querySelectorAll('a') ?? [])];
    const at = links.indexOf(document.activeElement as HTMLAnchorElement);
    const next = at + (event.key === 'ArrowDown' ? 1 : -1);
    event.preventDefault();
    if (next < 0) field.current?.focus();
    else links[Math.min(next, links.length - 1)]?.focus();
  }

  function openFirst(event: KeyboardEvent) {
    const [first] = found;
    if (event.key !== 'Enter' || !first) return;
    event.preventDefault();
    close();
    field.current?.blur();
    router.push(first.href);
  }

  function leave({ currentTarget, relatedTarget }: FocusEvent) {
    if (!currentTarget.contains(relatedTarget)) setOpen(false);
  }

  return (
    <search
      className="relative ml-auto w-full max-w-80 max-md:order-last max-md:max-w-none"
      onKeyDown={move}
      onBlur={leave}
    >
      <Search
        aria-hidden
        className="pointer-events-none absolute top-1/2 left-2.5 size-4 -translate-y-1/2 text-text-3"
      />
      <Input
        ref={field}
        type="search"
        aria-label="Search the documentation"
        aria-controls={isShown ? listId : undefined}
        placeholder="Search"
        value={query}
        onFocus={() => {
          load();
          setOpen(true);
        }}
        onChange={(event) => {
          load();
          setQuery(event.target.value);
          setOpen(true);
        }}
        onKeyDown={openFirst}
        className="pr-9 pl-8 [&::-webkit-search-cancel-button]:hidden"
      />
      {query === '' ? (
        <Kbd className="pointer-events-none absolute top-1/2 right-2 -translate-y-1/2 max-md:hidden">
          /
        </Kbd>
      ) : null}
      <p role="status" className="sr-only">
        {isShown && sections ? `${found.length} ${found.length === 1 ? 'result' : 'results'}` : ''}
      </p>
      {isShown ? (
        <div
          id={listId}
          className="absolute inset-x-0 top-full z-40 mt-1 max-h-[70dvh] overflow-y-auto rounded-card border border-line bg-surface p-1 shadow-menu md:left-auto md:w-120"
        >
          {hasFailed ? (
            <div className="flex items-center gap-3 px-3 py-2">
              <p className="text-text-2 text-ui">The search index couldn’t be loaded.</p>
              <Button size="sm" onClick={() => field.current?.focus()}>
                Try again
              </Button>
            </div>
          ) : sections === null ? (
            <p className="px-3 py-2 text-text-2 text-ui">Loading…</p>
          ) : found.length === 0 ? (
            <p className="px-3 py-2 text-text-2 text-ui">No pages match “{query.trim()}”.</p>
          ) : (
            <ul ref={list} aria-label="Search results">
              {found.map((section) => (
                <li key={section.href}>
                  <Result section={section} onOpen={close} />
                </li>
              ))}
            </ul>
          )}
        </div>
      ) : null}
    </search>
  );
}

function Result({ section, onOpen }: { section: FoundSection; onOpen: () => void }) {
  const { page, heading, href, excerpt } = section;
  return (
    <Link
      href={href}
      prefetch={false}
      onClick={onOpen}
      className="flex flex-col gap-0.5 rounded-control px-3 py-2 -outline-offset-2 hover:bg-hover focus:bg-hover"
    >
      <span className="font-medium text-ui">
        {page}
        {heading ? <span className="text-text-2"> › {heading}</span> : null}
      </span>
      {excerpt ? (
        <span className="text-meta text-text-3 [overflow-wrap:anywhere]">{excerpt}</span>
      ) : null}
    </Link>
  );
}

const EDITABLE = 'input, textarea, select, [contenteditable]';

function focusByShortcut(field: { current: HTMLInputElement | null }): () => void {
  function onKey(event: globalThis.KeyboardEvent) {
    const isSlash = event.key === '/' && !event.ctrlKey && !event.metaKey && !event.altKey;
    const isK = event.key.toLowerCase() === 'k' && (event.ctrlKey || event.metaKey);
    const isTyping = event.target instanceof Element && event.target.matches(EDITABLE);
    if (!isK && (!isSlash || isTyping)) return;
    event.preventDefault();
    field.current?.focus();
    field.current?.select();
  }
  window.addEventListener('keydown', onKey);
  return () => window.removeEventListener('keydown', onKey);
}

/** Returns the search index of the manual once `load` was called; a failed load can be repeated. */
function useSearchIndex() {
  const [sections, setSections] = useState<IndexedSection[] | null>(null);
  const [hasFailed, setFailed] = useState(false);
  const isLoading = useRef(false);

  async function load() {
    if (sections || isLoading.current) return;
    isLoading.current = true;
    setFailed(false);
    try {
      const response = await fetch('/docs/search.json');
      if (!response.ok) throw new Error(`search.json answered ${response.status}`);
      setSections(await response.json());
    } catch {
      setFailed(true);
    } finally {
      isLoading.current = false;
    }
  }

  return { sections, hasFailed, load: () => void load() };
}
