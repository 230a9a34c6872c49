'use client';

import { type RefObject, useEffect } from 'react';
import { findMatches } from './log-matches';

const ALL = 'log-match';
const CURRENT = 'log-match-current';

/** Goes into the page once, beside the log. Ink for the row that is selected. */
export const HIGHLIGHT_STYLE = `::highlight(${ALL}){background-color:color-mix(in oklab,var(--focus) 26%,transparent);color:var(--text)}::highlight(${CURRENT}){background-color:var(--ink);color:var(--on-ink)}`;

/**
 * Paints the words wherever they stand in the drawn rows, now and after each change of them.
 * Nothing is added to the rows. A browser without the Custom Highlight API marks the row only.
 */
export function useHighlights(
  box: RefObject<HTMLElement | null>,
  words: string,
  marked: number | null,
): void {
  useEffect(() => {
    const element = box.current;
    if (!element || words.trim() === '' || typeof Highlight === 'undefined') return;
    const all = new Highlight();
    const current = new Highlight();
    current.priority = 1;
    CSS.highlights.set(ALL, all);
    CSS.highlights.set(CURRENT, current);
    const paint = () => {
      all.clear();
      current.clear();
      for (const range of findMatches(element, words)) {
        const row = range.startContainer.parentElement?.closest<HTMLElement>('[data-seq]');
        (row?.dataset.seq === String(marked) ? current : all).add(range);
      }
    };
    let frame = 0;
    const changes = new MutationObserver(() => {
      cancelAnimationFrame(frame);
      frame = requestAnimationFrame(paint);
    });
    changes.observe(element, { childList: true, subtree: true, characterData: true });
    paint();
    return () => {
      cancelAnimationFrame(frame);
      changes.disconnect();
      CSS.highlights.delete(ALL);
      CSS.highlights.delete(CURRENT);
    };
  }, [box, words, marked]);
}
