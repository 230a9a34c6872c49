import { ArrowLeft, ArrowRight } from 'lucide-react';
import { Link } from '@/app/_components/ui/link';
import { type DocPage, neighborsOf } from '../_pages/pages';

/** Links to the pages before and after one, in reading order. */
export function PageSteps({ slug }: { slug: string }) {
  const { previous, next } = neighborsOf(slug);
  return (
    <nav
      aria-label="Previous and next page"
      className="mt-6 grid grid-cols-2 gap-3 max-md:grid-cols-1"
    >
      {previous ? <Step page={previous} label="Previous" /> : <span className="max-md:hidden" />}
      {next ? <Step page={next} label="Next" isNext /> : null}
    </nav>
  );
}

function Step({ page, label, isNext }: { page: DocPage; label: string; isNext?: boolean }) {
  return (
    <Link
      href={`/docs/${page.slug}`}
      rel={isNext ? 'next' : 'prev'}
      className={`flex flex-col gap-0.5 rounded-card border border-line bg-surface px-4 py-2.5 hover:bg-hover ${isNext ? 'items-end text-right' : ''}`}
    >
      <span className="flex items-center gap-1 text-meta text-text-3">
        {isNext ? null : <ArrowLeft aria-hidden className="size-3.5" />}
        {label}
        {isNext ? <ArrowRight aria-hidden className="size-3.5" /> : null}
      </span>
      <span className="font-medium">{page.title}</span>
    </Link>
  );
}
