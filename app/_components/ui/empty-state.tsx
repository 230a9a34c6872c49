import type { ReactNode } from 'react';
import { Link } from '@/app/_components/ui/link';
import { Button } from './button';
import { cn } from './cn';

interface EmptyStateProps {
  /** "No chains yet." */
  title: string;
  /** What will make something appear here. */
  children?: ReactNode;
  actions?: ReactNode;
  className?: string;
}

/** There is nothing yet, and that is no failure. Starts at the left edge like the rows will. */
export function EmptyState({ title, children, actions, className }: EmptyStateProps) {
  return (
    <div className={cn('flex flex-col items-start gap-3 px-4 py-6', className)}>
      <div className="flex max-w-prose flex-col gap-1">
        <p className="text-card">{title}</p>
        {children ? <p className="text-text-2">{children}</p> : null}
      </div>
      {actions ? <div className="flex flex-wrap gap-2">{actions}</div> : null}
    </div>
  );
}

interface NoMatchProps {
  /** Plural, as in the page: "chains". */
  what: string;
  clearHref: string;
}

export function NoMatch({ what, clearHref }: NoMatchProps) {
  return (
    <div className="flex flex-wrap items-center gap-3 px-4 py-6">
      <p className="text-text-2">No {what} match these filters.</p>
      <Button asChild size="sm">
        <Link href={clearHref}>Clear filters</Link>
      </Button>
    </div>
  );
}
