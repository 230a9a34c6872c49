import { Link } from '@/app/_components/ui/link';
import { DOC_PAGES } from './_pages/pages';

export default function DocsIndexPage() {
  const pages = [
    ...DOC_PAGES.map(({ slug, ...rest }) => ({ href: `/docs/${slug}`, ...rest })),
    {
      href: '/docs/reference',
      title: 'API reference',
      about: 'Every operation of this installation, with fields, refusals and an example.',
    },
  ];
  return (
    <>
      <h1 className="text-page">Documentation</h1>
      <ul className="divide-y divide-line overflow-hidden rounded-card border border-line bg-surface">
        {pages.map(({ href, title, about }) => (
          <li key={href} className="relative px-4 py-2.5 hover:bg-hover">
            <Link
              href={href}
              className="font-medium -outline-offset-2 after:absolute after:inset-0 after:content-['']"
            >
              {title}
            </Link>
            <p className="text-text-2 text-ui">{about}</p>
          </li>
        ))}
      </ul>
    </>
  );
}
