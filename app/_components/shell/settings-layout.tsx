import { ChevronLeft, ChevronRight } from 'lucide-react';
import type { ReactNode } from 'react';
import { Link } from '@/app/_components/ui/link';
import { cn } from '../ui/cn';

interface SettingsSection {
  href: string;
  label: string;
}

interface SettingsLayoutProps {
  /** "Settings of Checkout". */
  label: string;
  sections: readonly SettingsSection[];
  /** Null on the index, which on phones is the list of sections itself. */
  currentHref: string | null;
  indexHref: string;
  children: ReactNode;
}

/** Sections at the left; on phones one screen each. */
export function SettingsLayout(props: SettingsLayoutProps) {
  const isIndex = props.currentHref === null;
  return (
    <div className="flex gap-8 max-md:flex-col max-md:gap-4">
      {isIndex ? null : (
        <Link
          href={props.indexHref}
          className="flex min-h-6 items-center gap-1 text-text-2 text-ui md:hidden"
        >
          <ChevronLeft aria-hidden className="size-4" /> All settings
        </Link>
      )}
      <nav
        aria-label={props.label}
        className={cn('w-44 shrink-0 max-md:w-full', !isIndex && 'max-md:hidden')}
      >
        <ul className="sticky top-16 flex flex-col gap-0.5 max-md:divide-y max-md:divide-line max-md:rounded-card max-md:border max-md:border-line max-md:bg-surface">
          {props.sections.map((section) => (
            <li key={section.href}>
              <Link
                href={section.href}
                aria-current={section.href === props.currentHref ? 'page' : undefined}
                className="flex h-8 items-center justify-between rounded-control px-2.5 font-medium text-text-2 text-ui hover:bg-hover hover:text-text aria-[current]:bg-hover aria-[current]:text-text max-md:h-11 max-md:px-4"
              >
                {section.label}
                <ChevronRight aria-hidden className="size-4 text-text-3 md:hidden" />
              </Link>
            </li>
          ))}
        </ul>
      </nav>
      <div className={cn('flex min-w-0 flex-1 flex-col gap-6', isIndex && 'max-md:hidden')}>
        {props.children}
      </div>
    </div>
  );
}
