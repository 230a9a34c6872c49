import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { DOC_GROUPS, type DocPage } from './pages';
import type { DocSection } from './sections';

const loaded = new Map<string, string>();

/** Reads the Markdown of a page from `docs/` below the work directory of the process, once. */
export async function loadDoc({ slug }: Pick<DocPage, 'slug'>): Promise<string> {
  const known = loaded.get(slug);
  if (known !== undefined) return known;
  const text = await readFile(path.join(process.cwd(), 'docs', `${slug}.md`), 'utf8');
  loaded.set(slug, text);
  return text;
}

/** Returns the address of a section; that of the page for its title. */
export function hrefOf({ slug }: DocPage, { level, anchor }: DocSection): string {
  return level === 1 ? `/docs/${slug}` : `/docs/${slug}#${anchor}`;
}

interface ListedPage {
  href: string;
  title: string;
  about: string;
}

const API_REFERENCE: ListedPage = {
  href: '/docs/reference',
  title: 'API reference',
  about: 'Every operation of this installation, with fields, errors and an example.',
};

/** Returns the groups of the manual with the address of each page, the API reference among them. */
export function listedGroups(): { title: string; pages: ListedPage[] }[] {
  return DOC_GROUPS.map(({ title, pages }) => ({
    title,
    pages: [
      ...pages.map(({ slug, ...page }) => ({ href: `/docs/${slug}`, ...page })),
      ...(title === 'Reference' ? [API_REFERENCE] : []),
    ],
  }));
}
