import type { Metadata } from 'next';
import { notFound } from 'next/navigation';
import { AllDocsLink } from '../_components/all-docs-link';
import { DocMarkdown } from '../_components/doc-markdown';
import { FoldedContents, PageContents } from '../_components/page-contents';
import { PageSteps } from '../_components/page-steps';
import { loadDoc } from '../_pages/load-docs';
import { findDocPage } from '../_pages/pages';
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
