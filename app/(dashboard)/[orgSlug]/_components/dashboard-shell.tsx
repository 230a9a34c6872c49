'use client';

import { RefreshCw, Unplug } from 'lucide-react';
import dynamic from 'next/dynamic';
import { usePathname, useRouter } from 'next/navigation';
import { type ReactNode, useEffect, useState, useSyncExternalStore, useTransition } from 'react';
import { toast } from 'sonner';
import { ShellKeys } from '@/app/_components/keys/shell-keys';
import { LiveConnection, useConnectionPhase } from '@/app/_components/live/live-connection';
import type { PaletteAct } from '@/app/_components/palette/entry';
import { loadPart } from '@/app/_components/reach/load-part';
import { pageVersion } from '@/app/_components/reach/page-version';
import { type Reach, serverReach } from '@/app/_components/reach/server-reach';
import { AppShell } from '@/app/_components/shell/app-shell';
import { scopeOf } from '@/app/_components/shell/navigation';
import { usePalette } from '@/app/_components/shell/palette-context';
import { displayTimeZone } from '@/app/_components/shell/preferences';
import { usePreferences } from '@/app/_components/shell/preferences-context';
import type { ShellData } from '@/app/_components/shell/shell-data';
import { Banner } from '@/app/_components/ui/banner';
import { Button } from '@/app/_components/ui/button';
import { PendingButton } from '@/app/_components/ui/spinner';
import { runningChainOf } from '../projects/[projectSlug]/_components/running-chain';
import { runNow } from '../projects/[projectSlug]/actions';
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
        <PendingButton
          size="sm"
          isPending={isChecking}
          onClick={() => {
            // A reload would end on the browser's error page and lose what was typed.
            if (!isChecking) startChecking(async () => void (await serverReach.check()));
          }}
        >
          Retry now
        </PendingButton>
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

const DOTS = { bad: '#e74e4c', wait: '#e8b048' } as const;

/** The mark of Tierwatch as in app/icon.svg, with a dot in place of the third bar. */
function iconOf(tone: keyof typeof DOTS): string {
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="7" fill="#1a1d23"/><rect x="7" y="18" width="5" height="7" rx="1" fill="#927bd0"/><rect x="13.5" y="12.5" width="5" height="12.5" rx="1" fill="#a38de7"/><circle cx="23" cy="9" r="8" fill="${DOTS[tone]}" stroke="#1a1d23" stroke-width="2"/></svg>`;
  return `data:image/svg+xml,${encodeURIComponent(svg)}`;
}

/**
 * The icon of the tab while something needs attention. Of several icons a browser shows the last
 * one, and Next adds its own again with the metadata of each page, so that this one is moved behind it.
 */
function TroubleIcon({ tone }: { tone: 'bad' | 'wait' | null }) {
  useEffect(() => {
    if (tone === null) return;
    const icon = document.createElement('link');
    icon.rel = 'icon';
    icon.type = 'image/svg+xml';
    icon.href = iconOf(tone);
    function putLast() {
      const icons = document.querySelectorAll('link[rel="icon"]');
      if (icons.item(icons.length - 1) !== icon) document.head.append(icon);
    }
    putLast();
    const observer = new MutationObserver(putLast);
    observer.observe(document.head, { childList: true });
    return () => {
      observer.disconnect();
      icon.remove();
    };
  }, [tone]);
  return null;
}

const Palette = dynamic(
  async () => (await loadPart(() => import('@/app/_components/palette/palette'))).Palette,
  // Without it the whole page would stand still until the code is here.
  { loading: () => null },
);

/** The palette, loaded when it is first opened, and what its entries do. */
function PaletteHost({ data }: { data: ShellData }) {
  const { isOpen } = usePalette();
  const [wasOpen, setWasOpen] = useState(isOpen);
  const [isListOpen, setListOpen] = useState(false);
  const { change } = usePreferences();
  const router = useRouter();
  const organizationSlug = data.organization.slug;
  if (isOpen && !wasOpen) setWasOpen(true);

  async function run(project: string, dryRun: boolean) {
    const answer = await runNow({ organizationSlug, project, dryRun });
    const open = (number: number) =>
      router.push(`/${organizationSlug}/projects/${project}/chains/${number}`);
    if (answer.ok) return open(answer.data.number);
    const running = runningChainOf(answer.error);
    toast.error(
      answer.error.message,
      running === null
        ? undefined
        : { action: { label: `Open Chain #${running}`, onClick: () => open(running) } },
    );
  }

  async function find(id: string) {
    try {
      const { findById } = await import('@/app/_components/palette/find-by-id');
      const href = await findById(organizationSlug, id);
      if (href) router.push(href);
      else toast.error(`${data.organization.name} has nothing by the id ${id}.`);
    } catch {
      toast.error('The server didn’t answer. Try again in a moment.');
    }
  }

  async function copyLink() {
    try {
      await navigator.clipboard.writeText(window.location.href);
      toast.success('Link copied.');
    } catch {
      toast.error('The browser does not let this page copy. Copy it from the address bar.');
    }
  }

  function obey(act: PaletteAct) {
    switch (act.kind) {
      case 'go':
        return router.push(act.href);
      case 'find':
        return void find(act.id);
      case 'run':
        return void run(act.project, act.isDryRun);
      case 'copy-link':
        return void copyLink();
      case 'prefer':
        return change(act.change);
      case 'keys':
        return setListOpen(true);
    }
  }

  return (
    <>
      {wasOpen ? <Palette data={data} onAct={obey} /> : null}
      <ShellKeys isListOpen={isListOpen} setListOpen={setListOpen} />
    </>
  );
}
