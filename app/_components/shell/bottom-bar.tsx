'use client';

import { House, ListTree, type LucideIcon, Menu as MenuIcon, Search } from 'lucide-react';
import Link from 'next/link';
import { usePathname } from 'next/navigation';
import { navItems } from './navigation';
import { usePalette } from './palette-context';

const itemStyle =
  'flex h-14 flex-1 flex-col items-center justify-center gap-0.5 text-meta text-text-2 -outline-offset-2 aria-[current]:text-text';

interface BottomBarProps {
  hasPalette: boolean;
  onMenu: () => void;
}

/** 56 px at the thumb: Home, Chains, Search, Menu. */
export function BottomBar({ hasPalette, onMenu }: BottomBarProps) {
  const { setOpen } = usePalette();
  const items = navItems(usePathname());
  const links: [string, LucideIcon][] = [
    ['home', House],
    ['chains', ListTree],
  ];
  return (
    <nav
      aria-label="Quick"
      className="fixed inset-x-0 bottom-0 z-30 flex border-line border-t bg-surface pb-[env(safe-area-inset-bottom)] md:hidden"
    >
      {links.map(([key, Icon]) => {
        const item = items.find((candidate) => candidate.key === key);
        if (!item) return null;
        return (
          <Link
            key={key}
            href={item.href}
            aria-current={item.isCurrent ? 'page' : undefined}
            className={itemStyle}
          >
            <Icon aria-hidden className="size-5" />
            {item.label}
          </Link>
        );
      })}
      {hasPalette ? (
        <button type="button" className={itemStyle} onClick={() => setOpen(true)}>
          <Search aria-hidden className="size-5" />
          Search
        </button>
      ) : null}
      <button type="button" className={itemStyle} onClick={onMenu}>
        <MenuIcon aria-hidden className="size-5" />
        Menu
      </button>
    </nav>
  );
}
