'use client';

import { ChevronDown } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { Button } from '@/app/_components/ui/button';
import { cn } from '@/app/_components/ui/cn';
import { COLLAPSED_ON_PHONES, COLLAPSED_WHEN_NARROW } from './collapsed-by-a-log';

interface CollapsingHeaderProps {
  /** Badge and heading. */
  title: ReactNode;
  facts: ReactNode;
  sentence: string;
  /** The sentence says why, so it isn't cut to the room beside the facts. */
  isSentenceWhole: boolean;
  actions: ReactNode;
  /** The second line. */
  children: ReactNode;
}

/** A header that leaves the window to a log: two lines, or one with a button for the rest. */
export function CollapsingHeader(props: CollapsingHeaderProps) {
  const { title, facts, sentence, isSentenceWhole, actions, children } = props;
  const [isOpen, setOpen] = useState(false);
  const isWhole = isSentenceWhole || isOpen;
  return (
    <header data-header={isOpen ? 'open' : 'closed'} className="flex flex-col gap-1.5">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1.5">
        {title}
        <div
          className={cn(
            'flex flex-wrap items-center gap-x-3 gap-y-1 text-text-2 text-ui tabular-nums max-md:order-2 max-md:basis-full',
            COLLAPSED_ON_PHONES,
          )}
        >
          {facts}
        </div>
        <p
          title={isWhole ? undefined : sentence}
          className={cn(
            'text-ui',
            isWhole
              ? 'order-3 max-w-prose basis-full'
              : 'min-w-0 flex-1 basis-48 text-text-2 max-md:order-3 max-md:basis-full md:truncate',
            !isWhole && COLLAPSED_WHEN_NARROW,
          )}
        >
          {sentence}
        </p>
        <div className="ml-auto flex items-center gap-2 max-md:order-1">
          <Button
            look="quiet"
            size="sm"
            aria-expanded={isOpen}
            onClick={() => setOpen(!isOpen)}
            className="hidden group-has-[[data-fills-viewport]]/page:inline-flex"
          >
            Details
            <ChevronDown aria-hidden className={cn(isOpen && 'rotate-180')} />
          </Button>
          {actions}
        </div>
      </div>
      <div
        className={cn(
          'flex flex-wrap items-center justify-between gap-x-6 gap-y-1.5',
          COLLAPSED_WHEN_NARROW,
        )}
      >
        {children}
      </div>
    </header>
  );
}
