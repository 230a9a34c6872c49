import type { ReactNode } from 'react';
import { cn } from '../ui/cn';

interface PageHeaderProps {
  title: ReactNode;
  /** Status and tier, beside the title. */
  marks?: ReactNode;
  /** Facts in one line: trigger, version, duration, cost. */
  meta?: ReactNode;
  /** One plain sentence, computed from rows: what the state is and why. */
  sentence?: ReactNode;
  /** The one primary action last. */
  actions?: ReactNode;
}

/** Holds the page's only `h1`. Answers state and why, and offers what to do next. */
export function PageHeader({ title, marks, meta, sentence, actions }: PageHeaderProps) {
  return (
    <header className="flex flex-wrap items-start justify-between gap-x-6 gap-y-3">
      <div className="flex min-w-0 flex-1 basis-80 flex-col gap-1.5">
        <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
          <h1 className="min-w-0 break-words text-page">{title}</h1>
          {marks}
        </div>
        {meta ? (
          <div className="flex flex-wrap items-center gap-x-2 text-text-2 text-ui tabular-nums">
            {meta}
          </div>
        ) : null}
        {sentence ? <p className="max-w-prose text-body text-text">{sentence}</p> : null}
      </div>
      {actions ? <div className="flex flex-wrap items-center gap-2">{actions}</div> : null}
    </header>
  );
}

const WIDTHS = { page: 'max-w-page', wide: 'max-w-wide' };

interface PageBodyProps {
  /** `wide` for lists, the log and chains; everything else reads better at 1200 px. */
  width?: keyof typeof WIDTHS;
  className?: string;
  children: ReactNode;
}

export function PageBody({ width = 'page', className, children }: PageBodyProps) {
  return (
    <div
      className={cn(
        'flex w-full flex-col gap-6 px-gutter pt-5 pb-12 max-md:gap-4 max-md:px-4 max-md:pt-4',
        WIDTHS[width],
        className,
      )}
    >
      {children}
    </div>
  );
}
