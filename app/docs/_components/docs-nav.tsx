'use client';

import { usePathname } from 'next/navigation';
import { Link } from '@/app/_components/ui/link';

interface DocsNavProps {
  links: readonly { href: string; label: string }[];
}

/** At the left; on phones it stands on the first page alone, each page has a way back. */
export function DocsNav({ links }: DocsNavProps) {
  const pathname = usePathname();
  const isCurrent = (href: string) => pathname === href || pathname.startsWith(`${href}/`);
  return (
    <nav aria-label="Documentation" className="w-48 shrink-0 max-md:hidden">
      <ul className="sticky top-16 flex flex-col gap-0.5">
        {links.map(({ href, label }) => (
          <li key={href}>
            <Link
              href={href}
              aria-current={isCurrent(href) ? 'page' : undefined}
              className="flex h-8 items-center rounded-control px-2.5 font-medium text-text-2 text-ui hover:bg-hover hover:text-text aria-[current]:bg-hover aria-[current]:text-text"
            >
              {label}
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  );
}
