'use client';

import { lazy, Suspense } from 'react';
import { Prose } from '@/app/_components/log/prose';
import { loadPart } from '@/app/_components/reach/load-part';
import { steadyMarkdown } from './steady-markdown';

// Markdown weighs more than the rest of the page, which is alive before it comes.
const Answer = lazy(async () => ({ default: (await loadPart(() => import('./answer'))).Answer }));

interface LiveAnswerProps {
  markdown: string;
  /** More of it comes. */
  isWriting: boolean;
}

/** The answer of a turn that goes on. It is read out once it is whole, and not word by word. */
export function LiveAnswer({ markdown, isWriting }: LiveAnswerProps) {
  return (
    <section
      aria-label="Answer"
      aria-busy={isWriting}
      aria-live={isWriting ? 'off' : 'polite'}
      aria-atomic
    >
      <Suspense fallback={<Prose text={markdown} />}>
        <Answer markdown={isWriting ? steadyMarkdown(markdown) : markdown} />
      </Suspense>
    </section>
  );
}
