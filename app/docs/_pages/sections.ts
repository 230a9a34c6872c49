/** A part of a page from one heading to the next. */
export interface DocSection {
  level: 1 | 2 | 3;
  /** Without Markdown. */
  heading: string;
  /** Unique on its page, as GitHub makes it. */
  anchor: string;
  /** The text below the heading without Markdown and code fences, on one line. */
  text: string;
}

const HEADING = /^(#{1,3}) (.+)$/;
const FENCE = /^\s*```/;

/** Splits the Markdown of a page at its headings of levels 1 to 3. */
export function docSections(markdown: string): DocSection[] {
  const sections: (DocSection & { lines: string[] })[] = [];
  let isCode = false;
  for (const line of markdown.split('\n')) {
    if (FENCE.test(line)) {
      isCode = !isCode;
      continue;
    }
    const match = isCode ? null : HEADING.exec(line);
    if (!match) {
      sections.at(-1)?.lines.push(isCode ? line : plainText(line));
      continue;
    }
    const heading = plainText(match[2] ?? '');
    const level = (match[1] ?? '').length as DocSection['level'];
    sections.push({ level, heading, anchor: anchorOf(heading), text: '', lines: [] });
  }
  return sections.map(({ lines, ...section }) => ({
    ...section,
    text: lines.join(' ').replace(/\s+/g, ' ').trim(),
  }));
}

/** Returns the anchor of a heading as GitHub makes it, so that links work in both places. */
export function anchorOf(heading: string): string {
  return heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N} _-]/gu, '')
    .replaceAll(' ', '-');
}

/** Removes the marks of a line of Markdown: links, emphasis, code, list and table marks. */
function plainText(line: string): string {
  return line
    .replace(/^\s*(?:[-*>]|\d+\.)\s+/, '')
    .replace(/^\|[\s|:-]+\|$/, '')
    .replace(/!?\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replace(/\*\*([^*]+)\*\*/g, '$1')
    .replace(/(^|\s)_([^_]+)_(?=\s|[.,;:]|$)/g, '$1$2')
    .replace(/\\\|/g, '¦')
    .replace(/\|/g, ' ')
    .replace(/¦/g, '|')
    .replaceAll('`', '')
    .trim();
}
