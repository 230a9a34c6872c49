'use client';

import { BookOpen, Code, LogOut, Search, UserRound } from 'lucide-react';
import { usePathname } from 'next/navigation';
import { Fragment, useTransition } from 'react';
import { Link } from '@/app/_components/ui/link';
import { ModKbd } from '../keys/platform-context';
import { useLiveState } from '../live/live-connection';
import { Button } from '../ui/button';
import { cn } from '../ui/cn';
import { Menu, MenuChoice, MenuItem, MenuSeparator } from '../ui/menu';
import { useCrumbNames } from './crumb-name';
import { usePalette } from './palette-context';
import { displayTimeZone } from './preferences';
import { usePreferences } from './preferences-context';
import type { ShellData, ShellUser } from './shell-data';

interface TopBarProps {
  data: ShellData;
  hasPalette: boolean;
  signOut: () => Promise<void>;
}

export function TopBar({ data, hasPalette, signOut }: TopBarProps) {
  const { setOpen } = usePalette();
  return (
    <header className="sticky top-0 z-30 flex h-12 items-center gap-3 border-line border-b bg-canvas px-gutter max-md:px-4">
      <BreadcrumbTrail data={data} />
      <ConnectionMark />
      {hasPalette ? (
        <Button size="sm" onClick={() => setOpen(true)} className="text-text-2 max-md:hidden">
          <Search aria-hidden />
          Search
          <ModKbd className="ml-2">K</ModKbd>
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

function BreadcrumbTrail({ data }: { data: ShellData }) {
  const said = useCrumbNames();
  const names = new Map([
    ...data.organizations.map((org) => [org.slug, org.name] as const),
    ...data.projects.map((project) => [`projects/${project.slug}`, project.name] as const),
    ...data.runners.map((runner) => [`ids/${runner.id}`, runner.name] as const),
  ]);
  for (const [segment, name] of said) names.set(`ids/${segment}`, name);
  const crumbs = breadcrumb(usePathname(), names);
  const last = crumbs.length - 1;
  return (
    <nav aria-label="Breadcrumb" className="min-w-0 flex-1">
      <ol className="flex min-w-0 items-center gap-1.5 text-ui">
        {crumbs.map((crumb, index) => {
          const isMiddle = index > 0 && index < last - 1;
          return (
            <Fragment key={crumb.href}>
              <li
                className={cn(
                  'truncate',
                  index === last
                    ? 'min-w-0'
                    : 'max-w-56 shrink-0 max-md:min-w-0 max-md:max-w-20 max-md:shrink',
                  isMiddle && 'max-md:hidden',
                )}
              >
                {index === last ? (
                  <span aria-current="page" className="font-medium" title={crumb.label}>
                    {crumb.label}
                  </span>
                ) : (
                  <Link href={crumb.href} className="text-text-2 hover:text-text hover:underline">
                    {crumb.label}
                  </Link>
                )}
              </li>
              {index < last ? (
                <li aria-hidden className={cn('text-text-3', isMiddle && 'max-md:hidden')}>
                  /
                </li>
              ) : null}
              {index === 0 && last > 2 ? (
                <li aria-hidden className="shrink-0 text-text-3 md:hidden">
                  … /
                </li>
              ) : null}
            </Fragment>
          );
        })}
      </ol>
    </nav>
  );
}

interface Crumb {
  label: string;
  href: string;
}

const WORDS: Record<string, string> = {
  activity: 'Activity',
  analytics: 'Analytics',
  approvals: 'Approvals',
  ask: 'Ask',
  audit: 'Audit log',
  budgets: 'Budgets',
  chains: 'Chains',
  checkpoints: 'Checkpoints',
  command: 'Command',
  continuity: 'Continuity',
  danger: 'Danger',
  decision: 'Decision',
  events: 'Activity',
  general: 'General',
  handoff: 'Handoff',
  incidents: 'Incidents',
  ledger: 'Ledger',
  members: 'Members',
  new: 'New project',
  notifications: 'Notifications',
  paging: 'Paging',
  prompts: 'Prompts',
  report: 'Report',
  runners: 'Runners',
  schedule: 'Schedule',
  'side-by-side': 'Side by side',
  services: 'Services',
  sessions: 'Sessions',
  spend: 'Spend',
  system: 'System',
  thresholds: 'Thresholds',
  tiers: 'Tiers',
  file: 'Import and export',
  tokens: 'API tokens',
  versions: 'Versions',
  webhooks: 'Webhooks',
};

/** What stands where the name behind an id isn't known yet. */
const KINDS: Record<string, string> = {
  apr: 'Approval',
  rnr: 'Runner',
  whk: 'Endpoint',
  cnv: 'Conversation',
};

const NUMBERED: Record<string, string> = {
  chains: 'Chain',
  incidents: 'Incident',
  sessions: 'Session',
};

/**
 * `/acme/projects/checkout/chains/12` reads Acme / Checkout / Chains / Chain #12. `names` gives the
 * names behind slugs: the organization's under its slug, a project's under `projects/<slug>`, what
 * a page calls itself under `ids/<id>`.
 */
export function breadcrumb(pathname: string, names: ReadonlyMap<string, string>): Crumb[] {
  const segments = pathname.split('/').filter(Boolean);
  const crumbs: Crumb[] = [];
  for (const [index, segment] of segments.entries()) {
    const href = `/${segments.slice(0, index + 1).join('/')}`;
    if (index === 1 && segment === 'projects') continue;
    const isProject = index === 2 && segments[1] === 'projects' && segment !== 'new';
    const key = isProject ? `projects/${segment}` : index === 0 ? segment : `ids/${segment}`;
    const name = names.get(key);
    crumbs.push({ label: name ?? segmentLabel(segments, index), href });
  }
  return crumbs;
}

function segmentLabel(segments: readonly string[], index: number): string {
  const text = decoded(segments[index] ?? '');
  const before = segments[index - 1] ?? '';
  // A service may be called "settings", or a number.
  if (before === 'services') return text;
  if (/^\d+$/.test(text)) return `${NUMBERED[before] ?? ''} #${text}`.trim();
  if (text === 'settings') {
    return segments[1] === 'projects' ? 'Project settings' : 'Organization settings';
  }
  const kind = /^([a-z]{3})_/.exec(text)?.[1];
  return WORDS[text] ?? (kind && KINDS[kind]) ?? text;
}

function decoded(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}

interface UserMenuProps {
  user: ShellUser;
  /** A server action that ends the sign-in and leads away. */
  signOut: () => Promise<void>;
}

function UserMenu({ user, signOut }: UserMenuProps) {
  const { preferences, change } = usePreferences();
  const [, startTransition] = useTransition();
  return (
    <Menu
      className="min-w-60"
      trigger={
        <button
          type="button"
          className="grid size-8 shrink-0 place-items-center rounded-full border border-line bg-surface text-meta text-text-2 hover:bg-hover hover:text-text"
        >
          <span aria-hidden>{initials(user.name)}</span>
          <span className="sr-only">Your menu, {user.name}</span>
        </button>
      }
    >
      <div className="flex flex-col px-2 py-1.5">
        <span className="truncate font-medium text-ui">{user.name}</span>
        <span className="truncate text-meta text-text-3">{user.email}</span>
      </div>
      <MenuSeparator />
      <MenuChoice
        label="Theme"
        value={preferences.theme}
        onChange={(theme) => change({ theme })}
        choices={[
          { value: 'system', label: 'As the system' },
          { value: 'light', label: 'Light' },
          { value: 'dark', label: 'Dark' },
        ]}
      />
      <MenuChoice
        label="Times"
        value={preferences.zone}
        onChange={(zone) => change({ zone })}
        choices={[
          { value: 'local', label: `Local (${preferences.localTimeZone})` },
          { value: 'utc', label: 'UTC' },
        ]}
      />
      <MenuChoice
        label="Rows"
        value={preferences.density}
        onChange={(density) => change({ density })}
        choices={[
          { value: 'normal', label: 'Normal' },
          { value: 'compact', label: 'Compact' },
        ]}
      />
      <MenuChoice
        label="Keyboard shortcuts"
        value={preferences.hasShortcuts ? 'on' : 'off'}
        onChange={(choice) => change({ hasShortcuts: choice === 'on' })}
        choices={[
          { value: 'on', label: 'On' },
          { value: 'off', label: 'Off' },
        ]}
      />
      <MenuSeparator />
      <MenuItem asChild>
        <Link href="/me">
          <UserRound aria-hidden /> Your profile
        </Link>
      </MenuItem>
      <MenuItem asChild>
        <Link href="/docs">
          <BookOpen aria-hidden /> Documentation
        </Link>
      </MenuItem>
      <MenuItem asChild>
        <Link href="/docs/reference">
          <Code aria-hidden /> API reference
        </Link>
      </MenuItem>
      <MenuSeparator />
      <MenuItem onSelect={() => startTransition(signOut)} icon={LogOut}>
        Sign out
      </MenuItem>
    </Menu>
  );
}

function initials(name: string): string {
  const words = name.trim().split(/\s+/);
  return [words[0], words.length > 1 ? words.at(-1) : '']
    .map((word) => word?.slice(0, 1).toUpperCase() ?? '')
    .join('');
}
