import type { ShellBanner } from '@/app/_components/shell/banner-stack';
import type { ShellOrganization } from '@/app/_components/shell/shell-data';
import { Time } from '@/app/_components/status/time';
import { ButtonLink } from '@/app/_components/ui/button-link';
import { hasRole } from '@/lib/platform/db/roles';
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
    tierBanner(project, { slug, role, projectSlug }),
    maintenanceBanner(project, slug, projectSlug),
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
          text: 'Demo agent, no model: a small program makes real checks and real repairs. Costs are simulated; nobody is billed.',
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
        {isWhole ? organization.name : project?.name} is <PausedBy pause={pause} /> No chain starts.
        <PauseReason pause={pause} />
      </>
    ),
    action: (
      <ResumeButton
        organizationSlug={slug}
        what={
          isWhole || projectSlug === null
            ? { kind: 'organization' }
            : { kind: 'project', project: projectSlug }
        }
        isAllowed={hasRole(role, 'operator')}
      />
    ),
  };
}

function tierBanner(
  project: ProjectNotices | undefined,
  { slug, role, projectSlug }: Place,
): ShellBanner | null {
  const [pause, ...more] = project?.tierPauses ?? [];
  if (!project || !pause || projectSlug === null) return null;
  return {
    kind: 'tier_paused',
    text: (
      <>
        Tier {pause.tier} of {project.name} is <PausedBy pause={pause} />{' '}
        {pause.tier === 1 ? 'No chain starts.' : 'What needs it is suppressed.'}
        {more.length > 0 ? ` So is tier ${more.map(({ tier }) => tier).join(' and ')}.` : null}
        <PauseReason pause={pause} />
      </>
    ),
    action: (
      <ResumeButton
        organizationSlug={slug}
        what={{ kind: 'tier', project: projectSlug, tier: pause.tier }}
        label={`Resume tier ${pause.tier}`}
        isAllowed={hasRole(role, 'operator')}
      />
    ),
  };
}

function maintenanceBanner(
  project: ProjectNotices | undefined,
  slug: string,
  projectSlug: string | null,
): ShellBanner | null {
  if (!project?.maintenance) return null;
  const { name, isObserveOnly, endsAt } = project.maintenance;
  return {
    kind: 'maintenance',
    text: (
      <>
        Maintenance window “{name}” is open until <Time at={endsAt} form="day" />.{' '}
        {isObserveOnly
          ? 'Tier 1 observes, and nothing above it starts.'
          : `No chain of ${project.name} starts.`}
      </>
    ),
    action: settingsLink(slug, projectSlug, 'schedule', 'Windows'),
  };
}

interface Paused {
  by: string;
  at: string;
  reason: string;
  endsAt: string | null;
}

function PausedBy({ pause }: { pause: Paused }) {
  return (
    <>
      paused by {pause.by} since <Time at={pause.at} form="day" />
      {pause.endsAt ? (
        <>
          {' '}
          until <Time at={pause.endsAt} form="day" />
        </>
      ) : null}
      .
    </>
  );
}

function PauseReason({ pause }: { pause: Paused }) {
  return pause.reason ? <span className="text-text-2"> “{pause.reason}”</span> : null;
}

function noRunnerBanner(
  hasNone: boolean,
  project: ProjectNotices | undefined,
  slug: string,
): ShellBanner | null {
  const text = project?.emptyPool
    ? `No runner of pool ${project.emptyPool} takes new work, so no chain of ${project.name} can run.`
    : hasNone
      ? 'No runner takes new work, so no chain can run.'
      : null;
  if (!text) return null;
  return {
    kind: 'no_runner',
    text,
    action: (
      <ButtonLink size="sm" href={`/${slug}/runners`}>
        Runners
      </ButtonLink>
    ),
  };
}

function settingsLink(slug: string, projectSlug: string | null, section: string, label: string) {
  return (
    <ButtonLink size="sm" href={`/${slug}/projects/${projectSlug}/settings/${section}`}>
      {label}
    </ButtonLink>
  );
}
