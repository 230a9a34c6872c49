import type { ChainFacts, Overview, ProjectFacts, ServiceStatus } from './schema';

export type ProjectState = 'setup' | 'active' | 'paused' | 'budget_stopped';

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
