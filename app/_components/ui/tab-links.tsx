import type { ReactNode } from 'react';
import { Link } from '@/app/_components/ui/link';

export interface TabLink {
  href: string;
  label: string;
  /** Shown beside the word: a count, a mark. */
  note?: ReactNode;
}

interface TabLinksProps {
  /** What the tabs are of: "Session #19". */
  label: string;
  tabs: readonly TabLink[];
  currentHref: string;
  /** Stands at the right end. */
  children?: ReactNode;
}

/** Tabs are routes: the address is the state, and back works. */
export function TabLinks({ label, tabs, currentHref, children }: TabLinksProps) {
  return (
    <div className="flex flex-wrap-reverse items-start justify-between gap-x-4 border-line border-b">
      <nav aria-label={label} className="-mb-px min-w-0 overflow-x-auto">
        <ul className="flex gap-4 max-md:gap-3">
          {tabs.map((tab) => (
            <li key={tab.href}>
              <Link
                href={tab.href}
                aria-current={tab.href === currentHref ? 'page' : undefined}
                className="flex h-9 items-center gap-1.5 whitespace-nowrap border-transparent border-b-2 font-medium text-text-2 text-ui -outline-offset-2 hover:border-line hover:text-text aria-[current]:border-ink aria-[current]:text-text"
              >
                {tab.label}
                {tab.note ? <span className="text-meta text-text-3">{tab.note}</span> : null}
              </Link>
            </li>
          ))}
        </ul>
      </nav>
      {children ? <div className="pb-1.5 text-meta text-text-3">{children}</div> : null}
    </div>
  );
}
