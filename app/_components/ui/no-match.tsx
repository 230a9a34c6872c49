import Link from 'next/link';
import { Button } from './button';

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
