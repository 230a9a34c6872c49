'use client';

import { lazy, Suspense, useEffect } from 'react';
import { loadPart } from '../reach/load-part';
import { SafeText } from '../ui/safe-text';
import { steadyMarkdown } from './steady-markdown';

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
