/** What someone should look at, worst first. */

import {
  asSentence,
  chainClause,
  holdSentences,
  projectStateClause,
  type Telling,
} from './clauses';
import { type Condition, compareConditions, conditionOf, type Outage } from './condition';
import type { ChainFacts, IncidentFacts } from './rows';
import { OUTAGE_CHAINS, type Overview, type ProjectFacts, type RunnerFacts } from './schema';
import { isBeingChecked, needsPeople, openIncident, usedUpBudget } from './state';

export type Attention =
  /** All chains of one outage are one item. `chain` is the newest that ended and can be acknowledged. */
  | {
      kind: 'outage';
      project: ProjectFacts;
      condition: Condition;
      outage: Outage;
      chain: ChainFacts | null;
      holds: string[];
    }
  | { kind: 'incident'; project: ProjectFacts; condition: Condition; incident: IncidentFacts }
  | { kind: 'chain'; project: ProjectFacts; condition: Condition; chain: ChainFacts }
  | { kind: 'budget'; project: ProjectFacts; span: 'day' | 'month'; limitMicros: number }
  /** `checked`: those of the projects whose checks run without an agent all the same. */
  | { kind: 'no_runner'; pool: string; projects: ProjectFacts[]; checked: ProjectFacts[] }
  | { kind: 'runner_offline'; runner: RunnerFacts }
  | { kind: 'leaking_rules'; project: ProjectFacts };

/** Outages first, by state and first failure; then what can't start, what is missing, what is unsafe. */
export function attentionOf(overview: Overview): Attention[] {
  const { projects, runners } = overview;
  const known = projects
    .map((project) => ({ project, condition: conditionOf(project, overview) }))
    .toSorted((one, other) => compareConditions(one.condition, other.condition));
  const failing = known.flatMap(({ project, condition }) =>
    failureOf(project, condition, overview),
  );
  const isDegraded = (item: Attention) =>
    item.kind === 'outage' && item.outage.state === 'degraded';
  const blocked = known.filter(({ condition }) => !condition.isPaused);
  const spent = blocked.flatMap(({ project }): Attention[] => {
    const budget = usedUpBudget(project);
    return budget ? [{ kind: 'budget', project, ...budget }] : [];
  });
  const online = new Set(runners.filter(({ isOnline }) => isOnline).map(({ pool }) => pool));
  const stranded = blocked.map(({ project }) => project).filter(({ pool }) => !online.has(pool));
  const pools = [...new Set(stranded.map(({ pool }) => pool))];
  const empty = pools.map((pool): Attention => {
    const projects = stranded.filter((each) => each.pool === pool);
    const checked = projects.filter((each) => isBeingChecked(each, runners));
    return { kind: 'no_runner', pool, projects, checked };
  });
  const offline = runners
    .filter((runner) => runner.isMissed && !pools.includes(runner.pool))
    .map((runner): Attention => ({ kind: 'runner_offline', runner }));
  const leaking = projects
    .filter((project) => project.hasLeakingRules)
    .map((project): Attention => ({ kind: 'leaking_rules', project }));
  return [
    ...failing.filter((item) => !isDegraded(item)),
    ...spent,
    ...empty,
    ...failing.filter(isDegraded),
    ...offline,
    ...leaking,
  ];
}

function failureOf(project: ProjectFacts, condition: Condition, overview: Overview): Attention[] {
  const { outage, state } = condition;
  const chain = project.lastVerdict;
  // Services that are only degraded don't hide what a person has to look at.
  const incident = state === 'incident' ? openIncident(project) : needsPeople(project);
  if ((state === 'incident' || state === 'needs_human') && incident) {
    return [{ kind: 'incident', project, condition, incident }];
  }
  if (state === 'needs_human' && chain) return [{ kind: 'chain', project, condition, chain }];
  if (!outage) return [];
  const holds = holdSentences(project, overview, condition);
  return [{ kind: 'outage', project, condition, outage, chain, holds }];
}

/** The item as sentences, without the name of its project. */
export function attentionText(item: Attention, telling: Telling): string {
  switch (item.kind) {
    case 'outage': {
      const chains = chainClause(item.project, item.condition);
      const state = projectStateClause(item.project, item.condition, telling);
      return [asSentence(chains ? `${state}; ${chains}` : state), ...item.holds].join(' ');
    }
    case 'incident':
    case 'chain': {
      const { project, condition } = item;
      const { failing, services } = project;
      const isWorthIt = failing.length > 0 || (item.kind === 'incident' && services.unknown > 0);
      const state = isWorthIt ? `${projectStateClause(project, condition, telling)}; ` : '';
      return asSentence(`${state}${chainClause(project, condition) ?? 'a person has to act'}`);
    }
    case 'budget':
      return `The budget of the ${item.span} is used up, so no chain starts until it is raised or the next ${item.span} begins (UTC).`;
    case 'no_runner':
      return `No runner of pool ${item.pool} takes new work, so ${strandedClause(item)}.`;
    case 'runner_offline':
      return `Runner ${item.runner.name} is offline. Other runners of pool ${item.runner.pool} do its work.`;
    case 'leaking_rules':
      return 'It uses default rules of an earlier version that allow more than they should. Review and replace them.';
  }
}

/** `nothing is checked for Billing, and no chain starts for Checkout`. */
function strandedClause({
  projects,
  checked,
}: Pick<Extract<Attention, { kind: 'no_runner' }>, 'projects' | 'checked'>): string {
  const named = (which: readonly ProjectFacts[]) => which.map(({ name }) => name).join(', ');
  const unchecked = projects.filter((project) => !checked.includes(project));
  return [
    ...(unchecked.length > 0 ? [`nothing is checked for ${named(unchecked)}`] : []),
    ...(checked.length > 0 ? [`no chain starts for ${named(checked)}`] : []),
  ].join(', and ');
}

/** `4 chains since it began`; null for the first one. */
export function outageChains({ chains }: Outage): string | null {
  if (chains < 2) return null;
  return `${chains >= OUTAGE_CHAINS ? `${OUTAGE_CHAINS}+` : chains} chains since it began`;
}
