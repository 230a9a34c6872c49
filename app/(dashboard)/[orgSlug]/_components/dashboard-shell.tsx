'use client';

import { RefreshCw, Unplug } from 'lucide-react';
import { usePathname } from 'next/navigation';
import { type ReactNode, useSyncExternalStore, useTransition } from 'react';
import { LiveConnection, useConnectionPhase } from '@/app/_components/live/live-connection';
import { pageVersion } from '@/app/_components/reach/page-version';
import { type Reach, serverReach } from '@/app/_components/reach/server-reach';
import { AppShell } from '@/app/_components/shell/app-shell';
import { scopeOf } from '@/app/_components/shell/navigation';
import { displayTimeZone } from '@/app/_components/shell/preferences';
import { usePreferences } from '@/app/_components/shell/preferences-context';
import type { ShellData } from '@/app/_components/shell/shell-data';
import { Banner } from '@/app/_components/ui/banner';
import { Button } from '@/app/_components/ui/button';
import { Spinner } from '@/app/_components/ui/spinner';
import { PaletteHost } from './palette-host';
import { shellBanners } from './shell-banners';
import type { ShellNotices } from './shell-notices';
import { TroubleIcon } from './trouble-icon';

interface DashboardShellProps {
  data: ShellData;
  notices: ShellNotices;
  signOut: () => Promise<void>;
  children: ReactNode;
}

/** The frame of every page of an organization: live, and with the banners of where the reader is. */
export function DashboardShell({ data, notices, signOut, children }: DashboardShellProps) {
  const { projectSlug } = scopeOf(usePathname());
  const project = data.projects.find(({ slug }) => slug === projectSlug);
  const topic = project?.id ?? data.organization.id;
  const banners = shellBanners(notices, data.organization, projectSlug);
  return (
    <LiveConnection topic={topic}>
      <TroubleIcon tone={data.tone} />
      <AppShell
        data={data}
        banners={banners}
        signOut={signOut}
        palette={<PaletteHost data={data} />}
      >
        <OfflineBar />
        <OutdatedBar />
        {children}
      </AppShell>
    </LiveConnection>
  );
}

/** Asks for a reload after Tierwatch itself was updated, since the page can't refresh anymore. */
function OutdatedBar() {
  const isOutdated = useSyncExternalStore(
    pageVersion.subscribe,
    pageVersion.isOutdated,
    () => false,
  );
  if (!isOutdated) return null;
  return (
    <Banner
      tone="wait"
      icon={RefreshCw}
      className="sticky top-12 z-20"
      action={
        <Button size="sm" onClick={() => window.location.reload()}>
          Reload
        </Button>
      }
    >
      Tierwatch was updated, so this page no longer shows changes. Save or copy what you entered,
      then reload.
    </Banner>
  );
}

/** Says since when the page is stale, once the server has been unreachable for half a minute. */
function OfflineBar() {
  const { reach, phase } = useConnectionPhase();
  const { preferences } = usePreferences();
  const [isChecking, startChecking] = useTransition();
  if (reach.kind === 'up' || phase !== 'long_offline') return null;
  const since = new Intl.DateTimeFormat('en-GB', {
    timeStyle: 'short',
    timeZone: displayTimeZone(preferences),
  }).format(reach.lastAnswerAt);
  return (
    <Banner
      tone="wait"
      icon={Unplug}
      className="sticky top-12 z-20"
      action={
        <Button
          size="sm"
          aria-disabled={isChecking || undefined}
          onClick={() => {
            // A reload would end on the browser's error page and lose what was typed.
            if (!isChecking) startChecking(async () => void (await serverReach.check()));
          }}
        >
          {isChecking ? <Spinner /> : null} Retry now
        </Button>
      }
    >
      Offline since {since}. Showing the last known state, which updates when Tierwatch answers.
      {causeOf(reach)}
    </Banner>
  );
}

function causeOf({ depth, status }: Extract<Reach, { kind: 'down' }>): string {
  if (depth === 'ready') return ' It answers, but its database, queue or worker doesn’t.';
  return status === null ? '' : ` A proxy answered with ${status} instead.`;
}
