/** The first sentence of a page: what the state is and why, from rows alone. */

import { formatCounted } from '@/lib/platform/format/count';
import type { Overview, ProjectFacts, ServiceFacts } from './schema';
import { attentionOf, hasRunner, projectState, usedUpBudget } from './state';

/** `14:56`, in the reader's zone. */
type Clock = (at: Date) => string;

export function homeSentence(overview: Overview, clock: Clock): string {
  const { projects } = overview;
  if (projects.length === 0) return 'No projects yet.';
  const items = attentionOf(overview);
  const [worst] = items;
  const named = new Set(
    items.flatMap((item) => {
      if (item.kind === 'no_runner') return item.projects.map((project) => project.slug);
      return item.kind === 'runner_offline' ? [] : [item.project.slug];
    }),
  );
  if (!worst) return quietSentence(overview);
  const count = `${named.size} of ${formatCounted(projects.length, 'project')} ${named.size === 1 ? 'needs' : 'need'} attention.`;
  switch (worst.kind) {
    case 'chain':
      return `${count} ${chainClause(worst.project, worst.chain, clock)}`;
    case 'budget':
      return `${count} ${worst.project.name} has used up its budget of the ${worst.span}, so no chain starts.`;
    case 'no_runner':
      return `${count} No runner of pool ${worst.pool} takes new work, so nothing there can start.`;
    case 'leaking_rules':
      return `${count} ${worst.project.name} still uses default rules that allow more than they should.`;
    case 'runner_offline':
      return `Runner ${worst.runner.name} is offline. Every project has another runner of its pool.`;
  }
}

/** `Checkout: payments-db needs a human since 14:56.` */
function chainClause(
  project: ProjectFacts,
  chain: NonNullable<ProjectFacts['lastVerdict']>,
  clock: Clock,
): string {
  const since = clock(chain.endedAt ?? chain.createdAt);
  const names = chain.servicesAffected;
  if (chain.outcome !== 'needs_human') {
    const end = chain.outcome === 'lost' ? 'was lost' : 'failed';
    return `${project.name}: #${chain.number} ${end} at ${since}.`;
  }
  const who = names.length > 0 ? listed(names) : `#${chain.number}`;
  return `${project.name}: ${who} ${names.length > 1 ? 'need' : 'needs'} a human since ${since}.`;
}

function quietSentence({ projects, organization }: Overview): string {
  if (organization.pause) return 'Everything is paused, so no chain starts.';
  const moving = projects.filter(
    (project) => project.lastChain && project.lastChain.outcome === null,
  );
  const calm = `Nothing needs attention. ${formatCounted(projects.length, 'project')}`;
  return moving.length > 0
    ? `${calm}, ${formatCounted(moving.length, 'cycle')} running now.`
    : `${calm}.`;
}

/**
 * `payments-db is down; #12 ended with "needs a human" after tier 3.` What keeps the next chain
 * from starting comes last, since it is not what the last one found.
 */
export function projectSentence(
  project: ProjectFacts,
  services: readonly ServiceFacts[],
  overview: Overview,
  clock: Clock,
): string {
  const { lastChain, lastVerdict } = project;
  if (!lastChain) return firstCycleSentence(project, overview, clock);
  const health = healthSentence(services);
  if (lastChain.outcome === null) return `${health}; ${movingClause(lastChain)}.`;
  if (!lastVerdict) return `${health}; #${lastChain.number} was stopped before it found out more.`;
  return `${health}; ${verdictClause(lastVerdict)}.`;
}

function firstCycleSentence(project: ProjectFacts, overview: Overview, clock: Clock): string {
  const state = projectState(project, overview.organization);
  if (state === 'paused')
    return `No cycle has run yet, and none starts while ${project.name} is paused.`;
  if (usedUpBudget(project)) return 'No cycle has run yet: the budget leaves nothing to spend.';
  if (!hasRunner(project, overview.runners)) {
    return `No cycle has run yet: no runner of pool ${project.pool} is online.`;
  }
  if (!project.nextRunAt) return 'No cycle has run yet. One starts when you run it.';
  return `No cycle has run yet. The first starts at ${clock(project.nextRunAt)} on pool ${project.pool}.`;
}

function healthSentence(services: readonly ServiceFacts[]): string {
  const of = (status: ServiceFacts['status']) =>
    services.filter((service) => service.status === status).map((service) => service.name);
  const [down, degraded, unknown] = [of('down'), of('degraded'), of('unknown')];
  if (services.length === 0) return 'No service is watched yet';
  if (down.length > 0) {
    const also = degraded.length > 0 ? `, ${listed(degraded)} ${is(degraded)} degraded` : '';
    return `${listed(down)} ${is(down)} down${also}`;
  }
  if (degraded.length > 0) return `${listed(degraded)} ${is(degraded)} degraded`;
  if (unknown.length === services.length) return 'No service has been checked yet';
  if (unknown.length > 0) {
    return `${formatCounted(services.length - unknown.length, 'service')} healthy, ${listed(unknown)} not checked`;
  }
  return services.length === 1
    ? `${listed(of('healthy'))} is healthy`
    : `All ${services.length} services are healthy`;
}

function movingClause(chain: NonNullable<ProjectFacts['lastChain']>): string {
  const text = chain.statusText.replace(/\.$/, '');
  if (chain.status === 'running')
    return `tier ${Math.max(chain.highestTier, 1)} is at work in #${chain.number}`;
  return text ? `#${chain.number}: ${lowerFirst(text)}` : `#${chain.number} is ${chain.status}`;
}

function verdictClause(chain: NonNullable<ProjectFacts['lastVerdict']>): string {
  const tier = `tier ${Math.max(chain.highestTier, 1)}`;
  const ends: Record<string, string> = {
    healthy: 'found no problems',
    findings: 'reported findings, and nothing was to be done',
    fixed: `was fixed by ${tier}`,
    suppressed: 'did not escalate',
    needs_human: `ended with “needs a human” after ${tier}`,
    failed: `failed in ${tier}`,
    lost: `was lost in ${tier}`,
  };
  const end = `#${chain.number} ${ends[chain.outcome ?? ''] ?? 'ended'}`;
  return chain.acknowledgedBy ? `${end}, acknowledged by ${chain.acknowledgedBy}` : end;
}

function is(names: readonly string[]): string {
  return names.length === 1 ? 'is' : 'are';
}

/** `web`, `web and api`, `web, api and 3 more`. */
function listed(names: readonly string[]): string {
  if (names.length > 3) return `${names.slice(0, 2).join(', ')} and ${names.length - 2} more`;
  if (names.length < 2) return names.join('');
  return `${names.slice(0, -1).join(', ')} and ${names.at(-1)}`;
}

function lowerFirst(text: string): string {
  return text.slice(0, 1).toLowerCase() + text.slice(1);
}

interface EndedChain {
  number: number;
  outcome: string | null;
}

/** Ends that say nothing about whether an earlier fix held. */
const SILENT = ['skipped', 'stopped', 'lost', 'failed'];

/**
 * Whether the fix of a chain held, by the next cycle that looked: `confirmed by #13`, `came back
 * in #15`; null while none has looked. `newer` are the chains after it, in any order.
 */
export function fixConfirmation(fixed: EndedChain, newer: readonly EndedChain[]): string | null {
  const next = newer
    .filter(({ number, outcome }) => number > fixed.number && outcome && !SILENT.includes(outcome))
    .toSorted((one, other) => one.number - other.number)[0];
  if (!next) return null;
  return next.outcome === 'healthy'
    ? `confirmed by #${next.number}`
    : `came back in #${next.number}`;
}
