'use client';

import { createContext } from 'react';

interface CurrentMatch {
  /** Searched for in the log; empty while nothing is. */
  words: string;
  /** The selected event. */
  marked: number | null;
}

/** Lets a folded output see that the reader went to a match inside it. */
export const SearchContext = createContext<CurrentMatch>({ words: '', marked: null });
