import { ChevronLeft } from 'lucide-react';
import { Link } from '@/app/_components/ui/link';

/** The way back on phones, where the list of pages is a page of its own. */
export function AllDocsLink({ href = '/docs', label = 'All pages' }) {
  return (
    <Link href={href} className="flex min-h-6 items-center gap-1 text-text-2 text-ui md:hidden">
      <ChevronLeft aria-hidden className="size-4" /> {label}
    </Link>
  );
}
