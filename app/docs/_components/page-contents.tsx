'use client';

import { useEffect, useState } from 'react';
import type { DocSection } from '../_pages/sections';

interface PageContentsProps {
  sections: readonly Pick<DocSection, 'level' | 'heading' | 'anchor'>[];
}

/** Lists the headings of a page: beside it on wide screens, folded above it on others. */
export function PageContents({ sections }: PageContentsProps) {
  const current = useCurrentSection(sections);
  if (sections.length < 2) return null;
  return (
    <nav aria-label="On this page" className="w-52 shrink-0 max-xl:hidden">
      <div className="sticky top-16 flex max-h-[calc(100dvh-5rem)] flex-col gap-1.5 overflow-y-auto">
        <p className="px-2.5 font-medium text-meta text-text-3">On this page</p>
        <SectionList sections={sections} current={current} />
      </div>
    </nav>
  );
}

export function FoldedContents({ sections }: PageContentsProps) {
  if (sections.length < 2) return null;
  return (
    <details className="rounded-card border border-line bg-surface xl:hidden">
      <summary className="min-h-6 cursor-pointer px-3 py-2 text-ui">On this page</summary>
      <nav aria-label="On this page, folded" className="px-1 pb-2">
        <SectionList sections={sections} current={null} />
      </nav>
    </details>
  );
}

function SectionList({ sections, current }: PageContentsProps & { current: string | null }) {
  return (
    <ul className="flex flex-col">
      {sections.map(({ anchor, heading, level }) => (
        <li key={anchor}>
          <a
            href={`#${anchor}`}
            aria-current={anchor === current ? 'location' : undefined}
            className={`block border-line border-l py-1 pr-1 text-text-2 text-ui -outline-offset-2 hover:text-text aria-[current]:border-text aria-[current]:font-medium aria-[current]:text-text ${level === 3 ? 'pl-5' : 'pl-2.5'}`}
          >
            {heading}
          </a>
        </li>
      ))}
    </ul>
  );
}

/** Below the header of the page, in pixels: where a heading counts as reached. */
const READING_LINE = 96;

/** Returns the anchor of the section at the top of the window; the last one at the end of the page. */
function useCurrentSection(sections: PageContentsProps['sections']): string | null {
  const [current, setCurrent] = useState<string | null>(null);
  useEffect(() => {
    function update() {
      const { scrollHeight, clientHeight, scrollTop } = document.documentElement;
      const isAtEnd = scrollTop > 0 && scrollTop + clientHeight >= scrollHeight - 2;
      const reached = sections.filter(({ anchor }) => {
        const heading = document.getElementById(anchor);
        return heading !== null && heading.getBoundingClientRect().top <= READING_LINE;
      });
      setCurrent((isAtEnd ? sections.at(-1) : reached.at(-1))?.anchor ?? null);
    }
    update();
    window.addEventListener('scroll', update, { passive: true });
    window.addEventListener('resize', update);
    return () => {
      window.removeEventListener('scroll', update);
      window.removeEventListener('resize', update);
    };
  }, [sections]);
  return current;
}
