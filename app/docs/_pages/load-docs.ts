import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { DOC_PAGES, type DocPage } from './pages';
import { type DocSection, docSections } from './sections';

const loaded = new Map<string, string>();

/** Reads the Markdown of a page from `docs/` below the work directory of the process, once. */
export async function loadDoc({ slug }: Pick<DocPage, 'slug'>): Promise<string> {
  const known = loaded.get(slug);
  if (known !== undefined) return known;
  const text = await readFile(path.join(process.cwd(), 'docs', `${slug}.md`), 'utf8');
  loaded.set(slug, text);
  return text;
}

export interface DocHeading {
  /** The page's title. */
  page: string;
  /** Null: the page itself. */
  heading: string | null;
  /** `/docs/webhooks#events` */
  href: string;
}

/** Returns every page of the manual followed by its headings of level 2 and 3, in reading order. */
export async function docHeadings(): Promise<DocHeading[]> {
  const pages = await Promise.all(DOC_PAGES.map(headingsOf));
  return pages.flat();
}

async function headingsOf(page: DocPage): Promise<DocHeading[]> {
  const sections = docSections(await loadDoc(page));
  return sections.map((section) => ({
    page: page.title,
    heading: section.level === 1 ? null : section.heading,
    href: hrefOf(page, section),
  }));
}

/** Returns the address of a section; that of the page for its title. */
export function hrefOf({ slug }: DocPage, { level, anchor }: DocSection): string {
  return level === 1 ? `/docs/${slug}` : `/docs/${slug}#${anchor}`;
}
