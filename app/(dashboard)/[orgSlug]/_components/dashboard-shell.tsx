'use client';

import { usePathname } from 'next/navigation';
import type { ReactNode } from 'react';
import { AppShell } from '@/app/_components/shell/app-shell';
import { scopeOf } from '@/app/_components/shell/navigation';
import type { ShellData } from '@/app/_components/shell/shell-data';
import { LiveConnection } from './live/live-connection';
import { OfflineBar } from './live/offline-bar';
import { PaletteHost } from './palette-host';
import { shellBanners } from './shell-banners';
import type { ShellNotices } from './shell-notices';

interface DashboardShellProps {
  data: ShellData;
  notices: ShellNotices;
  signOut: () => Promise<void>;
  children: ReactNode;
}

/** The frame of every page of an organization: live, and with the banners of where the reader is. */
export function DashboardShell({ data, notices, signOut, children }: DashboardShellProps) {
  const { projectSlug } = scopeOf(usePathname());
  const banners = shellBanners(notices, data.organization, projectSlug);
  return (
    <LiveConnection>
      <AppShell
        data={data}
        banners={banners}
        signOut={signOut}
        palette={<PaletteHost data={data} />}
      >
        <OfflineBar />
        {children}
      </AppShell>
    </LiveConnection>
  );
}
