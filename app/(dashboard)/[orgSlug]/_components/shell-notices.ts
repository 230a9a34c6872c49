import { AGENTS } from '@/lib/agents/registry';
import type { Overview, Pause, ProjectFacts } from '@/lib/insight/dashboard/schema';
import { hasRunner, usedUpBudget } from '@/lib/insight/dashboard/state';
import { formatCost } from '@/lib/platform/format/cost';
import type { Tier } from '@/lib/protocol/spec';

interface PauseNotice {
  by: string;
  /** ISO 8601. */
  at: string;
  reason: string;
  /** ISO 8601; null: until someone resumes. */
  endsAt: string | null;
}

export interface ProjectNotices {
  name: string;
  pause: PauseNotice | null;
  tierPauses: (PauseNotice & { tier: Tier })[];
  /** The maintenance window that is open, and when it closes. */
  maintenance: { name: string; isObserveOnly: boolean; endsAt: string } | null;
  /** "today's budget of $10.00" */
  spentBudget: string | null;
  /** Name of the pool when none of its runners is online. */
  emptyPool: string | null;
  isDryRun: boolean;
  isDemoAgent: boolean;
}

/** What the banners under the top bar are made of; small, since it goes along with every page. */
export interface ShellNotices {
  organization: { name: string; pause: PauseNotice | null; isDemo: boolean; hasNoRunner: boolean };
  isDryRunForced: boolean;
  thresholdOverride: number | null;
  /** By slug; only projects with something to say. */
  projects: Record<string, ProjectNotices>;
}

export function shellNotices(overview: Overview): ShellNotices {
  const { organization, projects, runners, isDryRunForced, thresholdOverride } = overview;
  const entries = projects
    .map((project) => [project.slug, projectNotices(project, overview)] as const)
    .filter(([, notices]) => hasNotice(notices));
  return {
    organization: {
      name: organization.name,
      isDemo: organization.isDemo,
      pause: organization.pause && pauseNotice(organization.pause),
      hasNoRunner: projects.length > 0 && !runners.some((runner) => runner.isOnline),
    },
    isDryRunForced,
    thresholdOverride,
    projects: Object.fromEntries(entries),
  };
}

function projectNotices(project: ProjectFacts, { runners }: Overview): ProjectNotices {
  const budget = usedUpBudget(project);
  const span = budget?.span === 'day' ? 'today’s' : 'this month’s';
  return {
    name: project.name,
    pause: project.pause && pauseNotice(project.pause),
    tierPauses: project.tierPauses.map((pause) => ({ tier: pause.tier, ...pauseNotice(pause) })),
    maintenance: project.maintenance && {
      name: project.maintenance.name,
      isObserveOnly: project.maintenance.effect === 'observe_only',
      endsAt: project.maintenance.endsAt.toISOString(),
    },
    spentBudget: budget && `${span} budget of ${formatCost(budget.limitMicros)}`,
    emptyPool: hasRunner(project, runners) ? null : project.pool,
    isDryRun: project.isDryRun,
    isDemoAgent: !AGENTS[project.harness].hasModel,
  };
}

function pauseNotice({ at, by, reason, endsAt }: Pause): PauseNotice {
  return { at: at.toISOString(), by, reason, endsAt: endsAt?.toISOString() ?? null };
}

function hasNotice({ name: _name, tierPauses, ...rest }: ProjectNotices): boolean {
  return (
    tierPauses.length > 0 || Object.values(rest).some((value) => value !== null && value !== false)
  );
}
