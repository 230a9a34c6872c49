import type { Metadata } from 'next';
import { notFound } from 'next/navigation';
import { findDocPage } from '@/lib/docs/pages';
import { loadDoc } from '@/lib/docs/service';
import { AllDocsLink } from '../_components/all-docs-link';
import { Markdown } from '../_components/markdown';

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
      <Markdown blocks={await loadDoc(page)} />
    </>
  );
}
