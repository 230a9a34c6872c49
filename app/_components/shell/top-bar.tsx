'use client';

import { Menu as MenuIcon, Search } from 'lucide-react';
import { Button } from '../ui/button';
import { cn } from '../ui/cn';
import { Kbd } from '../ui/kbd';
import { BreadcrumbTrail } from './breadcrumb-trail';
import { useLiveState } from './live-context';
import { usePalette } from './palette-context';
import { displayTimeZone } from './preferences';
import { usePreferences } from './preferences-context';
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

const MARKS = { live: 'bg-ok-mark', reconnecting: 'bg-wait-mark', offline: 'bg-bad-mark' };

/** The state of the page's connection. Never a toast per drop. */
function ConnectionMark() {
  const live = useLiveState();
  const { preferences } = usePreferences();
  if (!live) return null;
  return (
    <span role="status" className="inline-flex shrink-0 items-center gap-1.5 text-meta text-text-2">
      <span aria-hidden data-bar className={cn('size-2 rounded-full', MARKS[live.kind])} />
      {live.kind === 'live' ? <span className="max-md:sr-only">Live</span> : null}
      {live.kind === 'reconnecting' ? 'Reconnecting…' : null}
      {live.kind === 'offline' ? (
        <span>
          Offline<span className="max-md:sr-only">, showing</span>{' '}
          {new Intl.DateTimeFormat('en-GB', {
            timeStyle: 'medium',
            timeZone: displayTimeZone(preferences),
          }).format(new Date(live.since))}
        </span>
      ) : null}
    </span>
  );
}
