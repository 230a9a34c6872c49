'use client';

import { useRef, useState } from 'react';
import type { IndexedSection } from './search-sections';

/** Returns the search index of the manual once `load` was called; a failed load can be repeated. */
export function useSearchIndex() {
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
