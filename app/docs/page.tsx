import { Link } from '@/app/_components/ui/link';
import { listedGroups } from './_pages/load-docs';

export default function DocsIndexPage() {
  return (
    <>
      <h1 className="text-page">Documentation</h1>
      {listedGroups().map(({ title, pages }) => (
        <section key={title} aria-labelledby={idOf(title)} className="flex flex-col gap-2">
          <h2 id={idOf(title)} className="text-section">
            {title}
          </h2>
          <ul className="divide-y divide-line overflow-hidden rounded-card border border-line bg-surface">
            {pages.map((page) => (
              <li key={page.href} className="relative px-4 py-2.5 hover:bg-hover">
                <Link
                  href={page.href}
                  className="font-medium -outline-offset-2 after:absolute after:inset-0 after:content-['']"
                >
                  {page.title}
                </Link>
                <p className="text-text-2 text-ui">{page.about}</p>
              </li>
            ))}
          </ul>
        </section>
      ))}
    </>
  );
}

function idOf(title: string): string {
  return title.toLowerCase().replaceAll(' ', '-');
}
