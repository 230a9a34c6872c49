import { route } from '@/lib/api/route';
import type { IndexedSection } from '../_components/search-sections';
import { hrefOf, loadDoc } from '../_pages/load-docs';
import { DOC_PAGES } from '../_pages/pages';
import { docSections } from '../_pages/sections';

/** Made from `docs/` at the first request, since an image holds the pages beside the build. */
export const dynamic = 'force-dynamic';

let index: Promise<IndexedSection[]> | undefined;

/** Answers the index that the search of the manual loads when somebody starts to search. */
export const GET = route({
  method: 'GET',
  path: '/docs/search.json',
  summary: 'The search index of the manual',
  auth: 'public',
  handle: async () => {
    index ??= buildIndex();
    return Response.json(await index, { headers: { 'cache-control': 'public, max-age=300' } });
  },
});

async function buildIndex(): Promise<IndexedSection[]> {
  const pages = await Promise.all(
    DOC_PAGES.map(async (page) =>
      docSections(await loadDoc(page)).map((section) => ({
        page: page.title,
        heading: section.level === 1 ? null : section.heading,
        href: hrefOf(page, section),
        text: section.text,
      })),
    ),
  );
  return pages.flat();
}
