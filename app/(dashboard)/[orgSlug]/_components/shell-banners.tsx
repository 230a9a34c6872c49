import Link from 'next/link';
import type { ShellBanner } from '@/app/_components/shell/banner-stack';
import type { ShellOrganization } from '@/app/_components/shell/shell-data';
import { Time } from '@/app/_components/status/time';
import { Button } from '@/app/_components/ui/button';
import { hasRole } from '@/lib/tenancy/roles';
import { ResumeButton } from './resume-button';
import type { ProjectNotices, ShellNotices } from './shell-notices';

/** What holds for the page the reader is on; `projectSlug` null on pages of the organization. */
export function shellBanners(
  notices: ShellNotices,
  { slug, role }: ShellOrganization,
  projectSlug: string | null,
): ShellBanner[] {
  const { organization, isDryRunForced, thresholdOverride } = notices;
  const project = projectSlug ? notices.projects[projectSlug] : undefined;
  const banners: (ShellBanner | null | undefined)[] = [
    pausedBanner(notices, project, { slug, role, projectSlug }),
    project?.spentBudget
      ? {
          kind: 'budget',
          text: `${project.name} reached ${project.spentBudget}. No chain starts until you raise it or the next ${project.spentBudget.startsWith('today') ? 'day' : 'month'} begins (UTC).`,
          action: settingsLink(slug, projectSlug, 'budgets', 'Budgets'),
        }
      : null,
    noRunnerBanner(organization.hasNoRunner, project, slug),
    isDryRunForced
      ? {
          kind: 'dry_run',
          text: 'CLAUDEOPS_DRY_RUN is set: no project of this installation escalates. Tier 1 observes, and would-be escalations are events.',
        }
      : project?.isDryRun
        ? {
            kind: 'dry_run',
            text: `${project.name} is in dry run: tier 1 observes, and no higher tier starts.`,
            action: settingsLink(slug, projectSlug, 'general', 'Settings'),
          }
        : null,
    thresholdOverride === null
      ? null
      : {
          kind: 'override',
          text: `The context threshold is ${thresholdOverride.toFixed(2)} for every project, set by CLAUDEOPS_RESUME_CONTEXT_THRESHOLD.`,
        },
    project?.isDemoAgent
      ? {
          kind: 'demo_agent',
          text: 'Demo agent, no model: a small program makes real checks and real repairs. Its costs follow a price table; nobody is billed.',
        }
      : null,
  ];
  return banners.filter((banner) => banner !== null && banner !== undefined);
}

interface Place {
  slug: string;
  role: ShellOrganization['role'];
  projectSlug: string | null;
}

function pausedBanner(
  { organization }: ShellNotices,
  project: ProjectNotices | undefined,
  { slug, role, projectSlug }: Place,
): ShellBanner | null {
  const pause = organization.pause ?? project?.pause;
  if (!pause) return null;
  const isWhole = organization.pause !== null;
  return {
    kind: 'paused',
    text: (
      <>
        {isWhole ? organization.name : project?.name} is paused by {pause.by} since{' '}
        <Time at={pause.at} form="day" />. No chain starts.
        {pause.reason ? <span className="text-text-2"> “{pause.reason}”</span> : null}
      </>
    ),
    action: (
      <ResumeButton
        organizationSlug={slug}
        project={isWhole ? null : projectSlug}
        isAllowed={hasRole(role, 'operator')}
      />
    ),
  };
}

function noRunnerBanner(
  hasNone: boolean,
  project: ProjectNotices | undefined,
  slug: string,
): ShellBanner | null {
  const text = project?.emptyPool
    ? `No runner of pool ${project.emptyPool} is online, so no chain of ${project.name} can run.`
    : hasNone
      ? 'No runner is online, so no chain can run.'
      : null;
  if (!text) return null;
  return {
    kind: 'no_runner',
    text,
    action: (
      <Button asChild size="sm">
        <Link href={`/${slug}/runners`}>Runners</Link>
      </Button>
    ),
  };
}

function settingsLink(slug: string, projectSlug: string | null, section: string, label: string) {
  return (
    <Button asChild size="sm">
      <Link href={`/${slug}/projects/${projectSlug}/settings/${section}`}>{label}</Link>
    </Button>
  );
}
