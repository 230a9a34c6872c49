'use client';

import {
  House,
  ListTree,
  type LucideIcon,
  Menu as MenuIcon,
  PanelLeftClose,
  PanelLeftOpen,
  Search,
} from 'lucide-react';
import dynamic from 'next/dynamic';
import { usePathname } from 'next/navigation';
import { type ReactNode, useState } from 'react';
import { Link } from '@/app/_components/ui/link';
import { loadPart } from '../reach/load-part';
import { Button } from '../ui/button';
import { BannerStack, type ShellBanner } from './banner-stack';
import { NavLinks } from './nav-links';
import { type NavKey, navItems } from './navigation';
import { PaletteProvider, usePalette } from './palette-context';
import { usePreferences } from './preferences-context';
import type { ShellData } from './shell-data';
import { Switcher } from './switcher';
import { TopBar } from './top-bar';

const PhoneSheet = dynamic(
  async () => (await loadPart(() => import('./phone-sheet'))).PhoneSheet,
  // Without it the whole page would stand still until the code is here.
  { loading: () => null },
);

interface AppShellProps {
  data: ShellData;
  banners?: readonly ShellBanner[];
  /** A server action that ends the sign-in and leads away. */
  signOut: () => Promise<void>;
  /** A client component that reads `usePalette()`. Without one there is no search button. */
  palette?: ReactNode;
  children: ReactNode;
}

/** The frame of every signed-in page. Pages bring their own `h1`, by PageHeader. */
export function AppShell({ data, banners = [], signOut, palette, children }: AppShellProps) {
  const { isBarCollapsed } = usePreferences().preferences;
  const [isMenuOpen, setMenuOpen] = useState(false);
  const [wasMenuOpen, setWasMenuOpen] = useState(false);
  function openMenu() {
    setWasMenuOpen(true);
    setMenuOpen(true);
  }
  const hasPalette = palette !== undefined;
  return (
    <PaletteProvider>
      <div
        data-bar-width={isBarCollapsed ? 'narrow' : 'wide'}
        className="group/shell flex min-h-dvh"
      >
        <a
          href="#content"
          className="sr-only z-50 rounded-control bg-ink px-3 py-2 text-on-ink focus:not-sr-only focus:fixed focus:top-2 focus:left-2 focus:px-3 focus:py-2"
        >
          Skip to content
        </a>
        <LeftBar data={data} />
        <div className="flex min-w-0 flex-1 flex-col">
          <TopBar data={data} hasPalette={hasPalette} signOut={signOut} />
          <BannerStack banners={banners} />
          <main id="content" tabIndex={-1} className="flex-1 outline-none max-md:pb-18">
            {children}
          </main>
        </div>
        <BottomBar hasPalette={hasPalette} onMenu={openMenu} />
        {wasMenuOpen ? <PhoneSheet data={data} isOpen={isMenuOpen} setOpen={setMenuOpen} /> : null}
      </div>
      {palette}
    </PaletteProvider>
  );
}

/** 232 px, or 56 px when narrow: by choice on wide screens, always between 768 and 1023 px. */
function LeftBar({ data }: { data: ShellData }) {
  const { preferences, change } = usePreferences();
  const isNarrow = preferences.isBarCollapsed;
  return (
    <div className="sticky top-0 hidden h-dvh w-14 shrink-0 flex-col gap-2 border-line border-r bg-canvas p-2 md:flex lg:group-data-[bar-width=wide]/shell:w-58">
      <Switcher data={data} form="bar" />
      <nav aria-label="Main" className="flex min-h-0 flex-1 flex-col gap-2">
        <NavLinks data={data} />
      </nav>
      <Button
        look="quiet"
        size="icon-sm"
        aria-label={isNarrow ? 'Expand sidebar' : 'Collapse sidebar'}
        title={isNarrow ? 'Expand sidebar' : 'Collapse sidebar'}
        onClick={() => change({ isBarCollapsed: !isNarrow })}
        className="ml-1 hidden lg:inline-flex"
      >
        {isNarrow ? <PanelLeftOpen aria-hidden /> : <PanelLeftClose aria-hidden />}
      </Button>
    </div>
  );
}

const itemStyle =
  'flex h-14 flex-1 flex-col items-center justify-center gap-0.5 text-meta text-text-2 -outline-offset-2 aria-[current]:text-text';

interface BottomBarProps {
  hasPalette: boolean;
  onMenu: () => void;
}

/** 56 px at the thumb: Home, Chains, Search, Menu. */
function BottomBar({ hasPalette, onMenu }: BottomBarProps) {
  const { setOpen } = usePalette();
  const items = navItems(usePathname());
  const links: [NavKey, LucideIcon][] = [
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
