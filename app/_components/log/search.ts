'use client';

import { createContext, type RefObject, useEffect } from 'react';

interface CurrentMatch {
  /** Searched for in the log; empty while nothing is. */
  words: string;
  /** Id of the selected row. */
  marked: string | null;
}

/** Lets a folded output see that the reader went to a match inside it. */
export const SearchContext = createContext<CurrentMatch>({ words: '', marked: null });

/** A place in a list of texts: which text, and the offset within it in UTF-16 units. */
interface TextPlace {
  text: number;
  offset: number;
}

interface TextRange {
  start: TextPlace;
  end: TextPlace;
}

/**
 * Returns where the words occur in texts that follow each other in one line, in order and without
 * overlap. A match may begin in one text and end in a later one; capitals don't matter.
 */
export function highlightRanges(texts: readonly string[], words: string): TextRange[] {
  const wanted = foldCase(words.trim());
  if (wanted === '') return [];
  const line = foldCase(texts.join(''));
  const ranges: TextRange[] = [];
  let text = 0;
  let textStart = 0;
  /** Moves on to the text that holds this offset. At a boundary an end belongs to the text before. */
  const placeOf = (offset: number, isEnd: boolean): TextPlace => {
    for (;;) {
      const length = texts[text]?.length ?? 0;
      const isHere = isEnd ? offset <= textStart + length : offset < textStart + length;
      if (isHere || text >= texts.length - 1) return { text, offset: offset - textStart };
      textStart += length;
      text += 1;
    }
  };
  for (let at = line.indexOf(wanted); at !== -1; at = line.indexOf(wanted, at + wanted.length)) {
    ranges.push({ start: placeOf(at, false), end: placeOf(at + wanted.length, true) });
  }
  return ranges;
}

/** Lower case of the same length: the few characters that would grow ("İ") stay as they are. */
function foldCase(text: string): string {
  const lower = text.toLowerCase();
  if (lower.length === text.length) return lower;
  return [...text]
    .map((character) => {
      const small = character.toLowerCase();
      return small.length === character.length ? small : character;
    })
    .join('');
}

/** More than anybody looks at; each one costs the browser a paint. */
const MAX_RANGES = 5_000;

/** Facts beside a row (times, exit codes, buttons) are no part of what is searched. */
const NOT_SEARCHED = 'time, button.link, .sr-only, [data-facts]';
/** A match never reaches from one of these into the next. */
const LINES = 'p, pre, li, td, th, dt, dd, h1, h2, h3, h4, h5, h6, code, div, span.block';

/** Returns the places of the words in what is drawn inside an element, in order. */
export function findMatches(root: Element, words: string): Range[] {
  const ranges: Range[] = [];
  for (const nodes of linesOf(root)) {
    const texts = nodes.map((node) => node.data);
    for (const { start, end } of highlightRanges(texts, words)) {
      const from = nodes[start.text];
      const to = nodes[end.text];
      if (!from || !to) continue;
      const range = document.createRange();
      range.setStart(from, start.offset);
      range.setEnd(to, end.offset);
      ranges.push(range);
      if (ranges.length === MAX_RANGES) return ranges;
    }
  }
  return ranges;
}

/** The text nodes of each line. */
function* linesOf(root: Element): Generator<Text[]> {
  const walker = document.createTreeWalker(root, NodeFilter.SHOW_ELEMENT | NodeFilter.SHOW_TEXT, {
    acceptNode: (node) => {
      if (node instanceof Text) return NodeFilter.FILTER_ACCEPT;
      return (node as Element).matches(NOT_SEARCHED)
        ? NodeFilter.FILTER_REJECT
        : NodeFilter.FILTER_SKIP;
    },
  });
  let line: Element | null = null;
  let nodes: Text[] = [];
  while (walker.nextNode()) {
    const node = walker.currentNode as Text;
    const own = node.parentElement?.closest(LINES) ?? null;
    if (own !== line && nodes.length > 0) {
      yield nodes;
      nodes = [];
    }
    line = own;
    nodes.push(node);
  }
  if (nodes.length > 0) yield nodes;
}

const ALL = 'log-match';
const CURRENT = 'log-match-current';

/** Goes into the page once, beside the log. Ink for the row that is selected. */
export const HIGHLIGHT_STYLE = `::highlight(${ALL}){background-color:color-mix(in oklab,var(--focus) 26%,transparent);color:var(--text)}::highlight(${CURRENT}){background-color:var(--ink);color:var(--on-ink)}`;

/**
 * Highlights the words in the drawn rows, now and whenever the rows change.
 * Nothing is added to the rows. A browser without the Custom Highlight API marks the row only.
 */
export function useHighlights(
  box: RefObject<HTMLElement | null>,
  words: string,
  marked: string | null,
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
        const row = range.startContainer.parentElement?.closest('[data-seq]');
        (row?.id === marked ? current : all).add(range);
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
