import { ChevronLeft, ChevronRight } from 'lucide-react';
import type { ReactNode } from 'react';
import { ButtonLink } from '@/app/_components/ui/button-link';

interface PaginationProps {
  /** Null at that end. Lists are newest first. */
  newerHref: string | null;
  olderHref: string | null;
  /** "10,000+ sessions, 7 d, $184.20". */
  children?: ReactNode;
}

export function Pagination({ newerHref, olderHref, children }: PaginationProps) {
  if (!newerHref && !olderHref && !children) return null;
  return (
    <nav aria-label="Pages" className="flex flex-wrap items-center gap-2">
      {children ? (
        <span className="mr-auto text-meta text-text-2 tabular-nums">{children}</span>
      ) : null}
      {newerHref ? (
        <ButtonLink size="sm" href={newerHref} rel="prev" icon={ChevronLeft}>
          Newer
        </ButtonLink>
      ) : null}
      {olderHref ? (
        <ButtonLink size="sm" href={olderHref} rel="next">
          Older <ChevronRight aria-hidden />
        </ButtonLink>
      ) : null}
    </nav>
  );
}
