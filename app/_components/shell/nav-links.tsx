'use client';

import {
  Activity,
  BookOpenCheck,
  ChartColumnStacked,
  CircleQuestionMark,
  Coins,
  Gauge,
  HeartPulse,
  House,
  ListTree,
  type LucideIcon,
  MessageCircleQuestionMark,
  ScrollText,
  Server,
  Settings,
  Settings2,
  ShieldCheck,
  Siren,
  Webhook,
} from 'lucide-react';
import { usePathname } from 'next/navigation';
import { Link } from '@/app/_components/ui/link';
import { StatusIcon } from '../status/status-badge';
import { cn } from '../ui/cn';
import { type NavItem, type NavKey, navGroups, projectPath, scopeOf } from './navigation';
import type { ShellData, ShellProject } from './shell-data';

const ICONS: Record<NavKey, LucideIcon> = {
  home: House,
  incidents: Siren,
  approvals: ShieldCheck,
  dashboard: Gauge,
  chains: ListTree,
  sessions: ScrollText,
  services: HeartPulse,
  ask: MessageCircleQuestionMark,
  activity: Activity,
  analytics: ChartColumnStacked,
  spend: Coins,
  runners: Server,
  webhooks: Webhook,
  audit: BookOpenCheck,
  'project-settings': Settings2,
  'organization-settings': Settings,
};

const linkStyle =
  'relative flex h-8 min-w-8 items-center gap-2.5 rounded-control px-2 font-medium text-text-2 text-ui hover:bg-hover hover:text-text aria-[current]:bg-hover aria-[current]:text-text pointer-coarse:h-10';

// In the narrow bar the word is for screen readers only; wide it is for everyone.
const barLabel = 'max-lg:sr-only group-data-[bar-width=narrow]/shell:sr-only';

interface NavLinksProps {
  data: Pick<ShellData, 'organization' | 'projects' | 'pendingApprovals'>;
  /** Inside the phone's sheet the words always show. */
  isSheet?: boolean;
  onNavigate?: () => void;
}

/** The pages of the project that is open, in a box of their own; then the organization's. */
export function NavLinks({ data, isSheet, onNavigate }: NavLinksProps) {
  const pathname = usePathname();
  const { orgSlug, projectSlug } = scopeOf(pathname);
  const label = isSheet ? '' : barLabel;
  const { project: own, organization } = navGroups(pathname);
  const current = data.projects.find(({ slug }) => slug === projectSlug);

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
          <span className={cn('min-w-0 truncate', label)}>{item.label}</span>
          {item.key === 'approvals' ? (
            <PendingCount count={data.pendingApprovals} isSheet={isSheet} />
          ) : null}
        </Link>
      </li>
    );
  };

  return (
    <>
      <div className="-mx-1 flex min-h-0 flex-1 flex-col gap-2 overflow-y-auto px-1">
        {own.length > 0 ? (
          <section
            aria-label={`Project ${current?.name ?? projectSlug}`}
            className="-mx-1 rounded-card border border-line bg-surface p-0.5"
          >
            <p className={cn('flex h-7 min-w-0 items-center gap-2.5 px-2 text-ui', label)}>
              {current ? <ProjectIcon project={current} /> : null}
              <span className="truncate font-semibold">{current?.name ?? projectSlug}</span>
            </p>
            <ul className="flex flex-col gap-0.5">{own.map(renderItem)}</ul>
          </section>
        ) : null}
        <section aria-label={`Organization ${data.organization.name}`}>
          {own.length > 0 ? (
            <p className={cn('truncate px-2 pb-1 text-meta text-text-3', label)}>
              {data.organization.name}
            </p>
          ) : null}
          <ul className="flex flex-col gap-0.5">{organization.map(renderItem)}</ul>
        </section>
        {data.projects.length > 0 ? (
          <section aria-label="Projects" className="border-line border-t pt-2">
            <p className={cn('px-2 pb-1 text-meta text-text-3', label)}>Projects</p>
            <ul className="flex flex-col gap-0.5">
              {data.projects.map((project) => (
                <li key={project.slug}>
                  <Link
                    href={projectPath(pathname, orgSlug, project.slug)}
                    onClick={onNavigate}
                    title={isSheet ? undefined : `${project.name}: ${project.sentence}`}
                    aria-current={project.slug === projectSlug ? 'true' : undefined}
                    className={linkStyle}
                  >
                    <ProjectIcon project={project} />
                    <span className={cn('min-w-0 truncate', label)}>{project.name}</span>
                  </Link>
                </li>
              ))}
            </ul>
          </section>
        ) : null}
      </div>
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
    </>
  );
}

interface PendingCountProps {
  count: number;
  isSheet: boolean | undefined;
}

/** At the end of the line; at the icon's corner where the bar is narrow. */
function PendingCount({ count, isSheet }: PendingCountProps) {
  if (count === 0) return null;
  return (
    <span
      className={cn(
        'ml-auto inline-flex h-4.5 min-w-4.5 shrink-0 items-center justify-center rounded-full bg-wait-bg px-1 text-meta text-wait-fg tabular-nums',
        !isSheet && PENDING_IN_NARROW_BAR,
      )}
    >
      {count > MAX_SHOWN ? `${MAX_SHOWN}+` : count}
      <span className="sr-only"> pending</span>
    </span>
  );
}

const MAX_SHOWN = 99;

const PENDING_IN_NARROW_BAR =
  'max-lg:absolute max-lg:-top-0.5 max-lg:-right-0.5 group-data-[bar-width=narrow]/shell:absolute group-data-[bar-width=narrow]/shell:-top-0.5 group-data-[bar-width=narrow]/shell:-right-0.5';

/** The worst there is to say of the project, also while it is paused. */
export function ProjectIcon({ project }: { project: ShellProject }) {
  return <StatusIcon {...project.mark} />;
}
