'use client';

import { usePathname } from 'next/navigation';
import { Link } from '@/app/_components/ui/link';

interface DocsNavProps {
  groups: readonly { title: string; links: readonly { href: string; label: string }[] }[];
}

/** At the left; on phones the first page lists all pages, and each page has a way back. */
export function DocsNav({ groups }: DocsNavProps) {
  const pathname = usePathname();
  const isCurrent = (href: string) => pathname === href || pathname.startsWith(`${href}/`);
  return (
    <nav aria-label="Documentation" className="w-52 shrink-0 max-md:hidden">
      <div className="sticky top-16 flex max-h-[calc(100dvh-5rem)] flex-col gap-4 overflow-y-auto">
        {groups.map(({ title, links }) => (
          <div key={title} className="flex flex-col gap-0.5">
            <p className="px-2.5 pb-0.5 font-medium text-meta text-text-3">{title}</p>
            <ul>
              {links.map(({ href, label }) => (
                <li key={href}>
                  <Link
                    href={href}
                    aria-current={isCurrent(href) ? 'page' : undefined}
                    className="flex min-h-7 items-center rounded-control px-2.5 py-0.5 text-text-2 text-ui -outline-offset-2 hover:bg-hover hover:text-text aria-[current]:bg-hover aria-[current]:font-medium aria-[current]:text-text"
                  >
                    {label}
                  </Link>
                </li>
              ))}
            </ul>
          </div>
        ))}
      </div>
    </nav>
  );
}
