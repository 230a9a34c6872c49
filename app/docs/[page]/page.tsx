import { readFile } from 'node:fs/promises';
import path from 'node:path';
import type { Metadata } from 'next';
import { notFound } from 'next/navigation';
import { AllDocsLink } from '../_components/all-docs-link';
import { DocMarkdown } from '../_components/doc-markdown';
import { type DocPage, findDocPage } from '../_pages/pages';

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

const loaded = new Map<string, string>();

/** The Markdown of a page in the folder `docs` below the process's work directory, read once. */
async function loadDoc({ slug }: Pick<DocPage, 'slug'>): Promise<string> {
  const known = loaded.get(slug);
  if (known !== undefined) return known;
  const text = await readFile(path.join(process.cwd(), 'docs', `${slug}.md`), 'utf8');
  loaded.set(slug, text);
  return text;
}
