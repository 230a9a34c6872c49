'use client';

import Link from 'next/link';
import { usePathname } from 'next/navigation';
import { Fragment } from 'react';
import { cn } from '../ui/cn';
import { breadcrumb } from './breadcrumb';
import { useCrumbNames } from './crumb-name';
import type { ShellData } from './shell-data';

export function BreadcrumbTrail({ data }: { data: ShellData }) {
  const said = useCrumbNames();
  const names = new Map([
    ...data.organizations.map((org) => [org.slug, org.name] as const),
    ...data.projects.map((project) => [`projects/${project.slug}`, project.name] as const),
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
