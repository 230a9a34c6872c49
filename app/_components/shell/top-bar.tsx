'use client';

import { Menu as MenuIcon, Search } from 'lucide-react';
import { Button } from '../ui/button';
import { Kbd } from '../ui/kbd';
import { BreadcrumbTrail } from './breadcrumb-trail';
import { ConnectionMark } from './connection-mark';
import { usePalette } from './palette-context';
import type { ShellData } from './shell-data';
import { UserMenu } from './user-menu';

interface TopBarProps {
  data: ShellData;
  hasPalette: boolean;
  signOut: () => Promise<void>;
  onMenu: () => void;
}

export function TopBar({ data, hasPalette, signOut, onMenu }: TopBarProps) {
  const { setOpen } = usePalette();
  return (
    <header className="sticky top-0 z-30 flex h-12 items-center gap-3 border-line border-b bg-canvas px-gutter max-md:px-4">
      <Button
        look="quiet"
        size="icon"
        aria-label="Menu"
        onClick={onMenu}
        className="-ml-2 md:hidden"
      >
        <MenuIcon aria-hidden />
      </Button>
      <BreadcrumbTrail data={data} />
      <ConnectionMark />
      {hasPalette ? (
        <Button size="sm" onClick={() => setOpen(true)} className="text-text-2 max-md:hidden">
          <Search aria-hidden />
          Search
          <Kbd className="ml-2">⌘K</Kbd>
        </Button>
      ) : null}
      <UserMenu user={data.user} signOut={signOut} />
    </header>
  );
}
