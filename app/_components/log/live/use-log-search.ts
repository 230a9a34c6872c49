'use client';

import { useDeferredValue, useMemo, useState } from 'react';
import type { LogRow } from '../log-rows';
import { matchAfter, searchRows } from './rows';

export interface LogSearch {
  query: string;
  setQuery: (query: string) => void;
  /** What is searched for now: the query, a moment later. */
  words: string;
  /** Place among the matches, from 1 (0: at none of them); null while nothing is searched for. */
  match: { index: number; count: number } | null;
  /** The match after or before; null without any. */
  step: (step: 1 | -1) => number | null;
}

/** Over the whole log; `marked` is the event on which the reader stands. */
export function useLogSearch(
  rows: readonly LogRow[],
  marked: number | null,
  initial: string,
): LogSearch {
  const [query, setQuery] = useState(initial);
  const words = useDeferredValue(query);
  const matches = useMemo(() => searchRows(rows, words), [rows, words]);
  const at = marked === null ? -1 : matches.indexOf(marked);
  return {
    query,
    setQuery,
    words,
    match: words.trim() === '' ? null : { index: at + 1, count: matches.length },
    step: (step) => {
      // Enter may come before the deferred search has seen the last key.
      const found = words === query ? matches : searchRows(rows, query);
      return matchAfter(found, marked, step);
    },
  };
}
