import { DOC_GROUPS } from './pages';

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
