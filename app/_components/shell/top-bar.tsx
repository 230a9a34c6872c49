'use client';

import { Search } from 'lucide-react';
import { usePathname } from 'next/navigation';
import { Fragment } from 'react';
import { Link } from '@/app/_components/ui/link';
import { ModKbd } from '../keys/platform-context';
import { useLiveState } from '../live/live-connection';
import { Button } from '../ui/button';
import { cn } from '../ui/cn';
import { breadcrumb } from './breadcrumb';
import { useCrumbNames } from './crumb-name';
import { usePalette } from './palette-context';
import { displayTimeZone } from './preferences';
import { usePreferences } from './preferences-context';
import type { ShellData } from './shell-data';
import { UserMenu } from './user-menu';

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
