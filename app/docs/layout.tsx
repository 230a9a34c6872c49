import type { Metadata } from 'next';
import type { ReactNode } from 'react';
import { ButtonLink } from '@/app/_components/ui/button-link';
import { Link } from '@/app/_components/ui/link';
import { Wordmark } from '@/app/(auth)/_components/wordmark';
import { DocSearch } from './_components/doc-search';
import { DocsNav } from './_components/docs-nav';
import { listedGroups } from './_pages/load-docs';

export const metadata: Metadata = {
  title: { default: 'Documentation', template: '%s · Tierwatch documentation' },
};

const GROUPS = listedGroups().map(({ title, pages }) => ({
  title,
  links: pages.map((page) => ({ href: page.href, label: page.title })),
}));

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
      <header className="sticky top-0 z-30 flex min-h-12 flex-wrap items-center gap-x-3 gap-y-2 border-line border-b bg-canvas px-gutter py-2 max-md:px-4 md:h-12 md:flex-nowrap md:py-0">
        <Link href="/docs" className="flex items-center gap-2">
          <Wordmark />
          <span className="text-text-3 text-ui">Documentation</span>
        </Link>
        <DocSearch />
        <ButtonLink size="sm" className="max-md:ml-auto" href="/orgs">
          Open Tierwatch
        </ButtonLink>
      </header>
      <div className="mx-auto flex w-full max-w-page gap-10 px-gutter pt-6 pb-16 max-md:px-4">
        <DocsNav groups={GROUPS} />
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
