import type { ReactNode } from 'react';
import { cn } from './cn';

interface CardProps {
  title?: ReactNode;
  /** Small, beside the title: a count, a span of time. */
  note?: ReactNode;
  /** At the right of the title. */
  actions?: ReactNode;
  /** Content that brings its own padding: a table, a list of rows. */
  isFlush?: boolean;
  /** The heading's level where the page's outline asks for another one. */
  level?: 2 | 3;
  /** To link to it. */
  id?: string;
  className?: string;
  children: ReactNode;
}

/** Flat, with a line around it. Inside a card use rules and space, never another card. */
export function Card({
  title,
  note,
  actions,
  isFlush,
  level = 2,
  id,
  className,
  children,
}: CardProps) {
  const Heading = `h${level}` as const;
  return (
    <section
      id={id}
      className={cn('overflow-hidden rounded-card border border-line bg-surface', className)}
    >
      {title || actions ? (
        <header
          className={cn(
            'flex min-h-11 flex-wrap items-center gap-x-2 gap-y-1 px-4 py-2',
            isFlush && 'border-line border-b',
          )}
        >
          {title ? <Heading className="text-card">{title}</Heading> : null}
          {note ? <span className="text-meta text-text-3 tabular-nums">{note}</span> : null}
          {actions ? <div className="ml-auto flex items-center gap-2">{actions}</div> : null}
        </header>
      ) : null}
      <div className={cn(!isFlush && 'px-4 pb-4', !isFlush && !title && !actions && 'pt-4')}>
        {children}
      </div>
    </section>
  );
}
