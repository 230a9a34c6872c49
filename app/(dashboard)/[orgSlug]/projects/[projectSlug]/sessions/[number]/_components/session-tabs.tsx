'use client';

import { usePathname } from 'next/navigation';
import { type TabLink, TabLinks } from '@/app/_components/ui/tab-links';

interface SessionTabsProps {
  /** "/acme/projects/checkout/sessions/19" */
  base: string;
  sessionNumber: number;
  /** "v14 · attempt #19.1" */
  note: string;
}

export function SessionTabs({ base, sessionNumber, note }: SessionTabsProps) {
  const tabs: TabLink[] = [
    { href: base, label: 'Log' },
    { href: `${base}/report`, label: 'Report' },
    { href: `${base}/handoff`, label: 'Handoff' },
    { href: `${base}/checkpoints`, label: 'Checkpoints' },
    { href: `${base}/command`, label: 'Command' },
    { href: `${base}/decision`, label: 'Decision' },
    { href: `${base}/ledger`, label: 'Ledger' },
  ];
  return (
    <TabLinks label={`Session #${sessionNumber}`} tabs={tabs} currentHref={usePathname()}>
      <span className="tabular-nums max-md:hidden">{note}</span>
    </TabLinks>
  );
}
