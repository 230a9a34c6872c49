'use client';

import { PanelLeftClose, PanelLeftOpen } from 'lucide-react';
import { Button } from '../ui/button';
import { NavLinks } from './nav-links';
import { usePreferences } from './preferences-context';
import type { ShellData } from './shell-data';
import { Switcher } from './switcher';

/** 232 px, or 56 px when narrow: by choice on wide screens, always between 768 and 1023 px. */
export function LeftBar({ data }: { data: ShellData }) {
  const { preferences, change } = usePreferences();
  const isNarrow = preferences.isBarCollapsed;
  return (
    <div className="sticky top-0 hidden h-dvh w-14 shrink-0 flex-col gap-2 border-line border-r bg-canvas p-2 md:flex lg:group-data-[bar-width=wide]/shell:w-58">
      <Switcher data={data} form="bar" />
      <nav aria-label="Main" className="flex min-h-0 flex-1 flex-col gap-2">
        <NavLinks projects={data.projects} />
      </nav>
      <Button
        look="quiet"
        size="icon-sm"
        aria-label={isNarrow ? 'Widen the left bar' : 'Narrow the left bar'}
        title={isNarrow ? 'Widen the left bar' : 'Narrow the left bar'}
        onClick={() => change({ isBarCollapsed: !isNarrow })}
        className="ml-1 hidden lg:inline-flex"
      >
        {isNarrow ? <PanelLeftOpen aria-hidden /> : <PanelLeftClose aria-hidden />}
      </Button>
    </div>
  );
}
