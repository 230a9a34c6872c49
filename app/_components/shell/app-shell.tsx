'use client';

import dynamic from 'next/dynamic';
import { type ReactNode, useState } from 'react';
import { loadPart } from '../reach/load-part';
import { BannerStack, type ShellBanner } from './banner-stack';
import { BottomBar } from './bottom-bar';
import { LeftBar } from './left-bar';
import { PaletteProvider } from './palette-context';
import { usePreferences } from './preferences-context';
import type { ShellData } from './shell-data';
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
          <TopBar data={data} hasPalette={hasPalette} signOut={signOut} onMenu={openMenu} />
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
