import type { Metadata } from 'next';
import { notFound } from 'next/navigation';
import { AllDocsLink } from '../_components/all-docs-link';
import { DocMarkdown } from '../_components/doc-markdown';
import { findDocPage } from '../_pages/pages';
import { loadDoc } from '../_pages/service';

interface DocPageProps {
  params: Promise<{ page: string }>;
}

export async function generateMetadata({ params }: DocPageProps): Promise<Metadata> {
  return { title: findDocPage((await params).page)?.title ?? 'Nothing here' };
}

export default async function DocsPage({ params }: DocPageProps) {
  const page = findDocPage((await params).page);
  if (!page) notFound();
  return (
    <>
      <AllDocsLink />
      <DocMarkdown text={await loadDoc(page)} />
    </>
  );
}
