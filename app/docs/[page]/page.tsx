import { ArrowLeft, ArrowRight } from 'lucide-react';
import type { Metadata } from 'next';
import { notFound } from 'next/navigation';
import { Link } from '@/app/_components/ui/link';
import { AllDocsLink } from '../_components/all-docs-link';
import { DocMarkdown } from '../_components/doc-markdown';
import { FoldedContents, PageContents } from '../_components/page-contents';
import { loadDoc } from '../_pages/load-docs';
import { type DocPage, findDocPage, neighborsOf } from '../_pages/pages';
import { docSections } from '../_pages/sections';

interface DocPageProps {
  params: Promise<{ page: string }>;
}

export async function generateMetadata({ params }: DocPageProps): Promise<Metadata> {
  return { title: findDocPage((await params).page)?.title ?? 'Nothing here' };
}

export default async function DocsPage({ params }: DocPageProps) {
  const page = findDocPage((await params).page);
  if (!page) notFound();
  const text = await loadDoc(page);
  const headings = docSections(text)
    .filter(({ level }) => level > 1)
    .map(({ level, heading, anchor }) => ({ level, heading, anchor }));
  return (
    <div className="flex gap-10">
      <article className="flex min-w-0 max-w-200 flex-1 flex-col gap-4">
        <AllDocsLink />
        <FoldedContents sections={headings} />
        <DocMarkdown text={text} />
        <PageSteps slug={page.slug} />
      </article>
      <PageContents sections={headings} />
    </div>
  );
}

/** Links to the pages before and after one, in reading order. */
function PageSteps({ slug }: { slug: string }) {
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
