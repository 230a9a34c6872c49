'use client';

import {
  Activity,
  CircleQuestionMark,
  House,
  ListTree,
  type LucideIcon,
  MessageCircleQuestionMark,
  ScrollText,
  Server,
  Settings,
  Webhook,
} from 'lucide-react';
import { usePathname } from 'next/navigation';
import { Link } from '@/app/_components/ui/link';
import { StatusIcon } from '../status/status-badge';
import { cn } from '../ui/cn';
import { type NavItem, type NavKey, navItems, projectPath, scopeOf } from './navigation';
import type { ShellProject } from './shell-data';

const ICONS: Record<NavKey, LucideIcon> = {
  home: House,
  chains: ListTree,
  sessions: ScrollText,
  ask: MessageCircleQuestionMark,
  runners: Server,
  webhooks: Webhook,
  activity: Activity,
  settings: Settings,
};

const linkStyle =
  'flex h-8 min-w-8 items-center gap-2.5 rounded-control px-2 font-medium text-text-2 text-ui hover:bg-hover hover:text-text aria-[current]:bg-hover aria-[current]:text-text pointer-coarse:h-10';

// In the narrow bar the word is for screen readers only; wide it is for everyone.
const barLabel = 'max-lg:sr-only group-data-[bar-width=narrow]/shell:sr-only';

interface NavLinksProps {
  projects: readonly ShellProject[];
  /** Inside the phone's sheet the words always show. */
  isSheet?: boolean;
  onNavigate?: () => void;
}

export function NavLinks({ projects, isSheet, onNavigate }: NavLinksProps) {
  const pathname = usePathname();
  const { orgSlug, projectSlug } = scopeOf(pathname);
  const label = isSheet ? '' : barLabel;
  const items = navItems(pathname);

  const renderItem = (item: NavItem) => {
    const Icon = ICONS[item.key];
    return (
      <li key={item.key}>
        <Link
          href={item.href}
          onClick={onNavigate}
          title={isSheet ? undefined : item.label}
          aria-current={item.isCurrent ? 'page' : undefined}
          className={linkStyle}
        >
          <Icon aria-hidden className="size-4 shrink-0" />
          <span className={label}>{item.label}</span>
        </Link>
      </li>
    );
  };

  return (
    <>
      <ul className="flex flex-col gap-0.5">
        {items.filter((item) => item.key !== 'settings').map(renderItem)}
      </ul>
      {projects.length > 0 ? (
        <div className="flex min-h-0 flex-1 flex-col gap-1 border-line border-t pt-2">
          <p className={cn('px-2 text-meta text-text-3', label)}>Projects</p>
          <ul className="flex min-h-0 flex-col gap-0.5 overflow-y-auto">
            {projects.map((project) => (
              <li key={project.slug}>
                <Link
                  href={projectPath(pathname, orgSlug, project.slug)}
                  onClick={onNavigate}
                  title={isSheet ? undefined : project.name}
                  aria-current={project.slug === projectSlug ? 'true' : undefined}
                  className={linkStyle}
                >
                  <ProjectIcon project={project} />
                  <span className={cn('min-w-0 truncate', label)}>{project.name}</span>
                </Link>
              </li>
            ))}
          </ul>
        </div>
      ) : (
        <div className="flex-1" />
      )}
      <ul className="border-line border-t pt-2">
        {items.filter((item) => item.key === 'settings').map(renderItem)}
        <li>
          <Link
            href="/docs"
            prefetch={false}
            onClick={onNavigate}
            title={isSheet ? undefined : 'Help'}
            className={linkStyle}
          >
            <CircleQuestionMark aria-hidden className="size-4 shrink-0" />
            <span className={label}>Help</span>
          </Link>
        </li>
      </ul>
    </>
  );
}

/** Health while the project is active; otherwise why it is not. */
export function ProjectIcon({ project }: { project: ShellProject }) {
  if (project.state === 'active' && project.worst) {
    return <StatusIcon kind="service" state={project.worst} />;
  }
  return <StatusIcon kind="project" state={project.state} />;
}
