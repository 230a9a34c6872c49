import { highlightRanges } from './highlight-ranges';

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
