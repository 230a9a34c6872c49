import type { ChainFacts, Overview, ProjectFacts, RunnerFacts, ServiceStatus } from './schema';

type ProjectState = 'setup' | 'active' | 'paused' | 'budget_stopped';

/** What a project is called: the first of these that holds, since it is what keeps chains from starting. */
export function projectState(
  project: ProjectFacts,
  organization: Pick<Overview['organization'], 'pause'>,
): ProjectState {
  if (organization.pause || project.pause) return 'paused';
  if (usedUpBudget(project)) return 'budget_stopped';
  return project.lastChain ? 'active' : 'setup';
}

/** The budget of the day or the month that is spent; null while there is something left. */
export function usedUpBudget(
  project: ProjectFacts,
): { span: 'day' | 'month'; limitMicros: number } | null {
  const { dayLimitMicros, monthLimitMicros, dayMicros, monthMicros } = project;
  if (dayLimitMicros !== null && dayMicros >= dayLimitMicros) {
    return { span: 'day', limitMicros: dayLimitMicros };
  }
  if (monthLimitMicros !== null && monthMicros >= monthLimitMicros) {
    return { span: 'month', limitMicros: monthLimitMicros };
  }
  return null;
}

/** The worst state of a project's services; null before the first check. */
export function worstService(services: ProjectFacts['services']): ServiceStatus | null {
  const order: ServiceStatus[] = ['down', 'degraded', 'healthy'];
  return order.find((state) => services[state] > 0) ?? null;
}

const FOR_PEOPLE = ['needs_human', 'failed', 'lost'];

/** A chain that ended badly and that nobody has taken in hand. */
export function waitsForPeople(chain: ChainFacts | null): chain is ChainFacts {
  return (
    chain !== null && FOR_PEOPLE.includes(chain.outcome ?? '') && chain.acknowledgedBy === null
  );
}

/** Smaller is worse. */
export function troubleRank(project: ProjectFacts): number {
  if (waitsForPeople(project.lastVerdict)) return 0;
  if (usedUpBudget(project)) return 1;
  const worst = worstService(project.services);
  if (worst === 'down') return 2;
  return worst === 'degraded' ? 3 : 4;
}

/** Whether a chain of the project would find a runner now. */
export function hasRunner(
  project: Pick<ProjectFacts, 'pool'>,
  runners: Overview['runners'],
): boolean {
  return runners.some((runner) => runner.pool === project.pool && runner.isOnline);
}

export type Attention =
  | { kind: 'chain'; project: ProjectFacts; chain: NonNullable<ProjectFacts['lastVerdict']> }
  | { kind: 'leaking_rules'; project: ProjectFacts }
  | { kind: 'budget'; project: ProjectFacts; span: 'day' | 'month'; limitMicros: number }
  | { kind: 'no_runner'; pool: string; projects: ProjectFacts[] }
  | { kind: 'runner_offline'; runner: RunnerFacts };

/** What somebody should look at, worst first: what failed, what cannot start, what is missing, what is unsafe. */
export function attentionOf(overview: Overview): Attention[] {
  const { projects, runners } = overview;
  const waiting = projects.flatMap((project): Attention[] =>
    project.lastVerdict && waitsForPeople(project.lastVerdict)
      ? [{ kind: 'chain', project, chain: project.lastVerdict }]
      : [],
  );
  const spent = projects.flatMap((project): Attention[] => {
    const budget = usedUpBudget(project);
    return budget ? [{ kind: 'budget', project, ...budget }] : [];
  });
  const stranded = projects.filter((project) => !project.pause && !hasRunner(project, runners));
  const pools = [...new Set(stranded.map((project) => project.pool))];
  const empty = pools.map((pool): Attention => {
    return { kind: 'no_runner', pool, projects: stranded.filter((each) => each.pool === pool) };
  });
  const leaking = projects
    .filter((project) => project.hasLeakingRules)
    .map((project): Attention => ({ kind: 'leaking_rules', project }));
  const offline = runners
    .filter((runner) => runner.isMissed && !pools.includes(runner.pool))
    .map((runner): Attention => ({ kind: 'runner_offline', runner }));
  return [...waiting, ...spent, ...empty, ...offline, ...leaking];
}
