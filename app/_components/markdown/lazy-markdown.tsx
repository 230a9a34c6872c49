'use client';

import { lazy, Suspense, useEffect } from 'react';
import { loadPart } from '../reach/load-part';
import { SafeText } from '../ui/safe-text';

const load = () => loadPart(() => import('./markdown'));

// Markdown weighs more than the rest of a page, which is alive before it comes.
const Markdown = lazy(async () => ({ default: (await load()).Markdown }));

interface LazyMarkdownProps {
  text: string;
  /** More of the text follows. */
  isWriting?: boolean;
}

/** Markdown in the browser. The server draws it at once; until its code has come, text is plain. */
export function LazyMarkdown({ text, isWriting = false }: LazyMarkdownProps) {
  const shown = isWriting ? steadyMarkdown(text) : text;
  return (
    <Suspense
      fallback={
        <p className="max-w-prose whitespace-pre-wrap text-body [overflow-wrap:anywhere]">
          <SafeText text={shown} />
        </p>
      }
    >
      <Markdown text={shown} />
    </Suspense>
  );
}

/** For a page whose first text may come later than the page: the code is there before it. */
export function usePreloadedMarkdown(): void {
  useEffect(() => {
    load().catch(() => {
      // LazyMarkdown loads it again, and reports what goes wrong then.
    });
  }, []);
}

/** Marks that make no text of their own: a bullet, the line below a heading, a fence. */
const MARKS_ALONE = /^[\s>|*+=#~`:-]*(?:\d{1,3}[.)])?\s*$/;

/** Of code, of bold and of struck words, and a single one where it stands at the edge of a word. */
const MARKS = /`+|\*\*|~~|(?<![\w*])[_*](?=\S)|(?<=[^\s*])[_*](?![\w*])/g;

/**
 * Markdown that is being written, as far as it will look the same when it is whole: what is bold,
 * slanted or code is so from its first word on, and a list, a heading or a table shows once it is one.
 */
export function steadyMarkdown(text: string): string {
  const fences = text.match(/^\s*(?:```|~~~)/gm) ?? [];
  // Within a block of code everything is text.
  if (fences.length % 2 === 1) return text;
  const at = text.search(/(?:^|\n)[^\n]*\s*$/);
  const lastLine = text.slice(at).trim();
  const rest = MARKS_ALONE.test(lastLine) ? text.slice(0, at) : text;
  const start = Math.max(0, rest.trimEnd().lastIndexOf('\n\n') + 2);
  const from = rest.trimEnd().includes('\n\n') ? start : 0;
  const block = rest.slice(from);
  return rest.slice(0, from) + (block.startsWith('|') ? wholeRows(block) : closed(block));
}

/** A header is a paragraph until a row stands below it. */
function wholeRows(table: string): string {
  const rows = table.split('\n').slice(0, -1);
  return rows.length < 3 ? '' : `${rows.join('\n')}\n`;
}

function closed(block: string): string {
  const line = block.slice(block.lastIndexOf('\n', block.length - 2) + 1);
  let open: string | null = null;
  for (const [mark] of line.matchAll(MARKS)) {
    if (open === mark) open = null;
    else if (open === null) open = mark;
  }
  if (open === null) return block;
  const trimmed = block.trimEnd();
  return trimmed.endsWith(open) ? trimmed.slice(0, -open.length) : `${trimmed}${open}`;
}
