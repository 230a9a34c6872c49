import type { ReactNode } from 'react';
import { cn } from '../ui/cn';

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
