import type { Metadata } from 'next';
import type { ReactNode } from 'react';
import { Button } from '@/app/_components/ui/button';
import { Link } from '@/app/_components/ui/link';
import { Wordmark } from '@/app/(auth)/_components/wordmark';
import { DocsNav } from './_components/docs-nav';
import { DOC_PAGES } from './_pages/pages';

export const metadata: Metadata = {
  title: { default: 'Documentation', template: '%s · Tierwatch documentation' },
};

const LINKS = [
  ...DOC_PAGES.map(({ slug, title }) => ({ href: `/docs/${slug}`, label: title })),
  { href: '/docs/reference', label: 'API reference' },
];

/** Open to everyone who reaches this installation: a host is set up before anybody signs in on it. */
export default function DocsLayout({ children }: { children: ReactNode }) {
  return (
    <div className="flex min-h-dvh flex-col">
      <a
        href="#content"
        className="sr-only z-50 rounded-control bg-ink px-3 py-2 text-on-ink focus:not-sr-only focus:fixed focus:top-2 focus:left-2 focus:px-3 focus:py-2"
      >
        Skip to content
      </a>
      <header className="sticky top-0 z-30 flex h-12 items-center gap-3 border-line border-b bg-canvas px-gutter max-md:px-4">
        <Link href="/docs" className="flex items-center gap-2">
          <Wordmark />
          <span className="text-text-3 text-ui">Documentation</span>
        </Link>
        <Button asChild size="sm" className="ml-auto">
          <Link href="/orgs">Open Tierwatch</Link>
        </Button>
      </header>
      <div className="mx-auto flex w-full max-w-page gap-10 px-gutter pt-6 pb-16 max-md:px-4">
        <DocsNav links={LINKS} />
        <main
          id="content"
          tabIndex={-1}
          className="flex min-w-0 flex-1 flex-col gap-4 outline-none"
        >
          {children}
        </main>
      </div>
    </div>
  );
}
