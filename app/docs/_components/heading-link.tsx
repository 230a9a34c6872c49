'use client';

import { Check, Link2 } from 'lucide-react';
import { CopySaid, useCopy } from '@/app/_components/ui/copy-button';

interface HeadingLinkProps {
  anchor: string;
  heading: string;
}

/** Leads to a heading and copies its address. Shown while the heading is hovered or focused. */
export function HeadingLink({ anchor, heading }: HeadingLinkProps) {
  const { state, copy } = useCopy(() => new URL(`#${anchor}`, window.location.href).href);
  return (
    <>
      <a
        href={`#${anchor}`}
        aria-label={`Copy link to ${heading}`}
        title="Copy link"
        onClick={copy}
        className="inline-flex size-6 shrink-0 items-center justify-center text-text-3 opacity-0 hover:text-text focus-visible:opacity-100 group-hover:opacity-100 pointer-coarse:opacity-100"
      >
        {state === 'copied' ? (
          <Check aria-hidden className="size-4" />
        ) : (
          <Link2 aria-hidden className="size-4" />
        )}
      </a>
      <CopySaid state={state} />
    </>
  );
}
