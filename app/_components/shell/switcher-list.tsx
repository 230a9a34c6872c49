'use client';

import { Command } from 'cmdk';
import { Building2, Check, Plus } from 'lucide-react';
import { usePathname, useRouter } from 'next/navigation';
import type { ReactNode } from 'react';
import { ProjectIcon } from './nav-links';
import { organizationPath, projectPath, scopeOf } from './navigation';
import type { ShellData } from './shell-data';

const itemStyle =
  'flex min-h-8 cursor-pointer items-center gap-2 rounded-badge px-2 text-ui data-[selected=true]:bg-hover pointer-coarse:min-h-10';
const groupStyle =
  '[&_[cmdk-group-heading]]:px-2 [&_[cmdk-group-heading]]:pt-2 [&_[cmdk-group-heading]]:pb-1 [&_[cmdk-group-heading]]:text-meta [&_[cmdk-group-heading]]:text-text-3';

interface SwitcherListProps {
  data: ShellData;
  onChosen: () => void;
}

export function SwitcherList({ data, onChosen }: SwitcherListProps) {
  const router = useRouter();
  const pathname = usePathname();
  const scope = scopeOf(pathname);
  const canCreate = data.organization.role === 'owner' || data.organization.role === 'admin';

  function go(href: string) {
    onChosen();
    router.push(href);
  }

  return (
    <Command label="Organizations and projects" loop>
      <Command.Input
        autoFocus
        placeholder="Find a project or organization"
        className="h-10 w-full border-line border-b bg-transparent px-3 text-body -outline-offset-2 placeholder:text-text-3"
      />
      <Command.List className="max-h-80 overflow-y-auto p-1">
        <Command.Empty className="px-2 py-3 text-text-2 text-ui">
          No project or organization matches.
        </Command.Empty>
        <Command.Group heading={data.organization.name} className={groupStyle}>
          <Item
            value={`all projects ${data.organization.name}`}
            isCurrent={scope.projectSlug === null}
            onSelect={() => go(`/${data.organization.slug}`)}
          >
            All projects
          </Item>
          {data.projects.map((project) => (
            <Item
              key={project.slug}
              value={`${project.name} ${project.slug}`}
              isCurrent={project.slug === scope.projectSlug}
              onSelect={() => go(projectPath(pathname, data.organization.slug, project.slug))}
            >
              <ProjectIcon project={project} />
              <span className="min-w-0 truncate">{project.name}</span>
            </Item>
          ))}
          {canCreate ? (
            <Item
              value="new project"
              onSelect={() => go(`/${data.organization.slug}/projects/new`)}
            >
              <Plus aria-hidden className="size-4" /> New project
            </Item>
          ) : null}
        </Command.Group>
        <Command.Group heading="Organizations" className={groupStyle}>
          {data.organizations.map((organization) => (
            <Item
              key={organization.slug}
              value={`organization ${organization.name} ${organization.slug}`}
              isCurrent={organization.slug === data.organization.slug}
              onSelect={() => go(organizationPath(pathname, organization.slug))}
            >
              <span className="min-w-0 truncate">{organization.name}</span>
              <span className="text-meta text-text-3">{organization.role}</span>
            </Item>
          ))}
          <Item value="your organizations new organization" onSelect={() => go('/orgs')}>
            <Building2 aria-hidden className="size-4" /> All organizations, or a new one
          </Item>
        </Command.Group>
      </Command.List>
    </Command>
  );
}

interface ItemProps {
  value: string;
  isCurrent?: boolean;
  onSelect: () => void;
  children: ReactNode;
}

function Item({ value, isCurrent, onSelect, children }: ItemProps) {
  return (
    <Command.Item value={value} onSelect={onSelect} className={itemStyle}>
      <span className="flex min-w-0 flex-1 items-center gap-2">{children}</span>
      {isCurrent ? <Check aria-label="current" className="size-4 shrink-0 text-text-2" /> : null}
    </Command.Item>
  );
}
