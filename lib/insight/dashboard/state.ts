/** Single facts about a project, which gates, banners and its condition share. */

import type { ChainFacts, IncidentFacts } from './rows';
import type { Overview, ProjectFacts } from './schema';

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

const FOR_PEOPLE = ['needs_human', 'failed', 'lost'];

/**
 * A chain that ended badly and that nobody has acknowledged. If it was about an incident, that one says
 * whether somebody is needed.
 */
export function waitsForPeople(chain: ChainFacts | null): chain is ChainFacts {
  return (
    chain !== null &&
    FOR_PEOPLE.includes(chain.outcome ?? '') &&
    chain.acknowledgedBy === null &&
    (chain.incidentState === null || chain.incidentState === 'open')
  );
}

/** Whether people have to act on an incident, nobody has said that they do, and nobody expects its failures. */
export function needsPeople(
  project: Pick<ProjectFacts, 'incident' | 'maintenance'>,
): (IncidentFacts & { needsHumanSince: Date }) | null {
  const incident = openIncident(project);
  if (!incident?.needsHumanSince) return null;
  return { ...incident, needsHumanSince: incident.needsHumanSince };
}

/** The incident in which something fails now that nobody expects or works on; null for none. */
export function openIncident({
  incident,
  maintenance,
}: Pick<ProjectFacts, 'incident' | 'maintenance'>): IncidentFacts | null {
  return incident?.state === 'open' && !maintenance && !incident.isSnoozed ? incident : null;
}

/**
 * Whether the project's checks run now. A runner that takes no new work runs them all the same, and
 * heartbeats need none.
 */
export function isBeingChecked(
  { isMonitored, needsRunner, checkerId }: CheckingFacts,
  runners: Overview['runners'],
): boolean {
  if (!isMonitored || !needsRunner) return isMonitored;
  return runners.some(({ id, isConnected }) => id === checkerId && isConnected);
}
type CheckingFacts = Pick<ProjectFacts, 'isMonitored' | 'needsRunner' | 'checkerId'>;

/** Whether a chain of the project would find a runner now. */
export function hasRunner(
  project: Pick<ProjectFacts, 'pool'>,
  runners: Overview['runners'],
): boolean {
  return runners.some((runner) => runner.pool === project.pool && runner.isOnline);
}
