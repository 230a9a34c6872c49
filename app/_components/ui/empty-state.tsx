import type { ReactNode } from 'react';
import { ButtonLink } from './button-link';
import { Card } from './card';

interface EmptyStateProps {
  /** "No chains yet." */
  title: string;
  /** What will make something appear here. */
  children?: ReactNode;
  actions?: ReactNode;
  /** In a card of its own. */
  isCard?: boolean;
}

/** There is nothing yet, and that is no failure. Starts at the left edge like the rows will. */
export function EmptyState({ title, children, actions, isCard }: EmptyStateProps) {
  const content = (
    <div className="flex flex-col items-start gap-3 px-4 py-6">
      <div className="flex max-w-prose flex-col gap-1">
        <p className="text-card">{title}</p>
        {children ? <p className="text-text-2">{children}</p> : null}
      </div>
      {actions ? <div className="flex flex-wrap gap-2">{actions}</div> : null}
    </div>
  );
  return isCard ? <Card isFlush>{content}</Card> : content;
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
      <ButtonLink size="sm" href={clearHref}>
        Clear filters
      </ButtonLink>
    </div>
  );
}
