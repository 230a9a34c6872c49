import type { Overview, ProjectFacts, RunnerFacts } from './schema';
import { hasRunner, usedUpBudget, waitsForPeople } from './state';

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
