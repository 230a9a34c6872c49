'use client';

import { useEffect, useState } from 'react';
import { DOC_PAGES } from '@/app/docs/_pages/pages';
import type { Places, TextHits } from '@/lib/insight/search/schema';
import { loadPart } from '../reach/load-part';
import type { Loaded } from './entries';
import type { DocPlace } from './found-entries';

/** A search waits until nothing was typed for this long. */
const PAUSE_MS = 180;

const PAGES: readonly DocPlace[] = DOC_PAGES.map(({ slug, title }) => ({
  page: title,
  heading: null,
  href: `/docs/${slug}`,
}));

const client = () => loadPart(() => import('./search-client'));

/** `failed`: the server didn't answer, so stored text wasn't searched. */
export type SearchState = 'idle' | 'searching' | 'done' | 'failed';

interface Search {
  query: string;
  state: SearchState;
  hits: TextHits | null;
}

const IDLE: Search = { query: '', state: 'idle', hits: null };

/** Loads names when the palette opens, and searches stored text while somebody types. */
export function useFound(
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
