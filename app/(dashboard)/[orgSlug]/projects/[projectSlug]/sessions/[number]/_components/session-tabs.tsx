'use client';

import { usePathname } from 'next/navigation';
import { type ReactNode, useEffect, useRef } from 'react';
import { type TabLink, TabLinks } from '@/app/_components/ui/tab-links';

interface SessionTabsProps {
  /** "/acme/projects/checkout/sessions/19" */
  base: string;
  sessionNumber: number;
  /** Stands at the right end of the tabs. */
  children: ReactNode;
}

export function SessionTabs({ base, sessionNumber, children }: SessionTabsProps) {
  const current = usePathname();
  const frame = useRef<HTMLDivElement>(null);
  const tabs: TabLink[] = [
    { href: base, label: 'Log' },
    { href: `${base}/report`, label: 'Report' },
    { href: `${base}/handoff`, label: 'Handoff' },
    { href: `${base}/checkpoints`, label: 'Checkpoints' },
    { href: `${base}/command`, label: 'Command' },
    { href: `${base}/decision`, label: 'Decision' },
    { href: `${base}/ledger`, label: 'Ledger' },
  ];

  // biome-ignore lint/correctness/useExhaustiveDependencies: the tab that is current is another one
  useEffect(() => {
    const tab = frame.current?.querySelector<HTMLElement>('[aria-current="page"]');
    if (tab) bringInto(tab.closest('nav'), tab);
  }, [current]);

  return (
    <div ref={frame} className="min-w-0">
      <TabLinks label={`Session #${sessionNumber}`} tabs={tabs} currentHref={current}>
        {children}
      </TabLinks>
    </div>
  );
}

/** What stays visible of the tab before or after, so that the strip shows that it scrolls. */
const NEIGHBOR_PX = 32;

/** Scrolls the strip alone, by as little as shows the whole tab. */
function bringInto(strip: HTMLElement | null, tab: HTMLElement): void {
  if (!strip) return;
  const frame = strip.getBoundingClientRect();
  const place = tab.getBoundingClientRect();
  const before = frame.left + NEIGHBOR_PX - place.left;
  const behind = place.right + NEIGHBOR_PX - frame.right;
  if (before > 0) strip.scrollLeft -= before;
  else if (behind > 0) strip.scrollLeft += behind;
}
