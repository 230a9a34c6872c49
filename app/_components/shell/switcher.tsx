'use client';

import { ChevronsUpDown } from 'lucide-react';
import dynamic from 'next/dynamic';
import { usePathname } from 'next/navigation';
import { useState } from 'react';
import { loadPart } from '../reach/load-part';
import { cn } from '../ui/cn';
import { Popover } from '../ui/popover';
import { scopeOf } from './navigation';
import type { ShellData } from './shell-data';

const SwitcherList = dynamic(
  async () => (await loadPart(() => import('./switcher-list'))).SwitcherList,
  {
    loading: () => <div className="h-64" />,
  },
);

interface SwitcherProps {
  data: ShellData;
  /** In the bar its words follow the bar's width. */
  form: 'bar' | 'sheet';
}

/** Organization and project, in one popover. */
export function Switcher({ data, form }: SwitcherProps) {
  const [isOpen, setOpen] = useState(false);
  const { projectSlug } = scopeOf(usePathname());
  const project = data.projects.find((candidate) => candidate.slug === projectSlug);
  const label = form === 'bar' && 'max-lg:sr-only group-data-[bar-width=narrow]/shell:sr-only';
  return (
    <Popover
      label="Switch organization or project"
      open={isOpen}
      onOpenChange={setOpen}
      className="w-80 p-0"
      trigger={
        <button
          type="button"
          className="flex h-11 w-full items-center gap-2 rounded-control px-1 text-left hover:bg-hover"
        >
          <span className="sr-only">Switch organization or project. Now: </span>
          <span
            aria-hidden
            className="grid size-8 shrink-0 place-items-center rounded-control bg-ink font-semibold text-on-ink text-ui"
          >
            {data.organization.name.slice(0, 1).toUpperCase()}
          </span>
          <span className={cn('flex min-w-0 flex-1 flex-col', label)}>
            <span className="truncate font-semibold text-ui">{data.organization.name}</span>
            <span className="truncate font-normal text-meta text-text-3">
              {project?.name ?? 'All projects'}
            </span>
          </span>
          <ChevronsUpDown aria-hidden className={cn('size-4 shrink-0 text-text-3', label)} />
        </button>
      }
    >
      <SwitcherList data={data} onChosen={() => setOpen(false)} />
    </Popover>
  );
}
