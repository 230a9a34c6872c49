/**
 * Every summary of an organization, a project and a service: sentence, badge, mark of the tab.
 * They derive from one condition, so that a page and the frame around it never disagree.
 */

import { formatCounted } from '@/lib/platform/format/count';
import { attentionOf, attentionText } from './attention';
import {
  asSentence,
  type Clock,
  chainClause,
  holdSentences,
  mutedClause,
  projectStateClause,
  stateClause,
  type Telling,
} from './clauses';
import { type Condition, conditionOf } from './condition';
import type { Overview, ProjectFacts, ServiceStatus } from './schema';
import { isBeingChecked, needsPeople, usedUpBudget } from './state';

/** A state as its badge shows it. */
export type SummaryMark =
  | { kind: 'service'; state: ServiceStatus }
  | { kind: 'chain'; state: 'needs_human' | 'failed' | 'lost' }
  | { kind: 'project'; state: 'setup' | 'active' | 'paused' | 'budget_stopped' }
  | { kind: 'incident'; state: 'open' }
  | { kind: 'runner'; state: 'offline' };

export interface ProjectSummary {
  condition: Condition;
  /** The worst there is to say of the project. */
  mark: SummaryMark;
  /** A second badge: what keeps chains from starting, where the first one shows trouble. */
  hold: SummaryMark | null;
  /** Since when it is in trouble. */
  since: Date | null;
  /** The state, what chains do about it, and what keeps them from starting. */
  sentence: string;
  /** The state alone, for a list of projects. */
  short: string;
  /** `Down · Checkout`. */
  title: string;
}

/** Of every project and page of an organization. */
export interface OrganizationSummary {
  sentence: string;
  /** `1 down · Acme`. */
  title: string;
  tone: 'bad' | 'wait' | null;
}

export function summarizeProject(
  project: ProjectFacts,
  overview: Overview,
  clock: Clock,
): ProjectSummary {
  const condition = conditionOf(project, overview);
  const mark = markOf(project, condition);
  const isTrouble = mark.kind !== 'project';
  return {
    condition,
    mark,
    hold: isTrouble ? holdMark(project, condition) : null,
    since: condition.since,
    sentence: projectSentence(project, overview, condition, clock),
    short: stateSentence(project, condition, { now: overview.now, clock }),
    title: titled(TITLE_WORDS[condition.state] ?? null, project.name),
  };
}

export function summarizeOrganization(overview: Overview, clock: Clock): OrganizationSummary {
  const { projects, organization } = overview;
  const conditions = projects.map((project) => conditionOf(project, overview));
  const down = conditions.filter(({ state }) => state === 'down').length;
  const waiting = conditions.filter(({ needsAttention }) => needsAttention);
  const words = down > 0 ? `${down} down` : waiting.length > 0 ? attentionCount(waiting) : null;
  return {
    sentence: homeSentence(overview, conditions, clock),
    title: titled(words, organization.name),
    tone:
      waiting.length === 0
        ? null
        : waiting.every(({ state }) => state === 'degraded')
          ? 'wait'
          : 'bad',
  };
}

function attentionCount({ length }: readonly Condition[]): string {
  return `${length} ${length === 1 ? 'needs' : 'need'} attention`;
}

const TITLE_WORDS: Partial<Record<Condition['state'], string>> = {
  down: 'Down',
  needs_human: 'Needs a human',
  blocked: 'Can’t start',
  degraded: 'Degraded',
  incident: 'Incident',
};

function titled(mark: string | null, name: string): string {
  return mark ? `${mark} · ${name}` : name;
}

/** The title of a service's page: `Down · web · Checkout`. */
export function serviceTitle(
  name: string,
  project: ProjectFacts,
  { outage }: Pick<Condition, 'outage'>,
): string {
  const status = outage?.services.find((service) => service.name === name)?.status;
  return titled(status ? (TITLE_WORDS[status] ?? null) : null, `${name} · ${project.name}`);
}

function markOf(project: ProjectFacts, { state, muted }: Condition): SummaryMark {
  const { lastVerdict, lastChain, services } = project;
  const isChecked = services.healthy + services.degraded + services.down > 0;
  switch (state) {
    case 'down':
    case 'degraded':
      return { kind: 'service', state };
    case 'needs_human': {
      const outcome = needsPeople(project) ? null : lastVerdict?.outcome;
      return {
        kind: 'chain',
        state: outcome === 'failed' || outcome === 'lost' ? outcome : 'needs_human',
      };
    }
    case 'blocked':
      if (muted.length > 0) return mutedMark(muted);
      if (usedUpBudget(project)) return { kind: 'project', state: 'budget_stopped' };
      return isChecked ? { kind: 'runner', state: 'offline' } : { kind: 'project', state: 'setup' };
    case 'incident':
      return { kind: 'incident', state: 'open' };
    case 'muted':
      return mutedMark(muted);
    case 'paused':
      return { kind: 'project', state: 'paused' };
    case 'unknown':
      return lastChain
        ? { kind: 'service', state: 'unknown' }
        : { kind: 'project', state: 'setup' };
    case 'ok':
      return { kind: 'project', state: 'active' };
  }
}

function mutedMark(muted: Condition['muted']): SummaryMark {
  const isDown = muted.some(({ status }) => status === 'down');
  return { kind: 'service', state: isDown ? 'down' : 'degraded' };
}

function holdMark(project: ProjectFacts, { isPaused }: Condition): SummaryMark | null {
  if (isPaused) return { kind: 'project', state: 'paused' };
  return usedUpBudget(project) ? { kind: 'project', state: 'budget_stopped' } : null;
}

function projectSentence(
  project: ProjectFacts,
  overview: Overview,
  condition: Condition,
  clock: Clock,
): string {
  const { healthy, degraded, down } = project.services;
  // Checks without an agent have their results before any chain.
  const isChecked = project.isMonitored && healthy + degraded + down > 0;
  if (!project.lastChain && !isChecked) {
    return firstChainSentence(project, overview, condition, clock);
  }
  const state = projectStateClause(project, condition, { now: overview.now, clock });
  const chain = chainClause(project, condition);
  return [
    asSentence(chain ? `${state}; ${chain}` : state),
    ...holdSentences(project, overview, condition),
  ].join(' ');
}

function stateSentence(project: ProjectFacts, condition: Condition, telling: Telling): string {
  return asSentence(projectStateClause(project, condition, telling));
}

function firstChainSentence(
  project: ProjectFacts,
  overview: Overview,
  condition: Condition,
  clock: Clock,
): string {
  const [hold] = holdSentences(project, overview, condition);
  if (hold) return `No chain has run yet. ${hold}`;
  if (!project.nextRunAt) return 'No chain has run yet. Select Run now to start the first one.';
  return `No chain has run yet. The first starts at ${clock(project.nextRunAt)} on pool ${project.pool}.`;
}

function homeSentence(overview: Overview, conditions: readonly Condition[], clock: Clock): string {
  const { projects, organization } = overview;
  if (projects.length === 0) return 'No projects yet.';
  const items = attentionOf(overview);
  const [worst] = items;
  // The item of an outage says what holds its project back.
  const paused =
    organization.pause && worst?.kind !== 'outage'
      ? ` ${organization.name} is paused by ${organization.pause.by}, so no chain starts${uncheckedClause(overview)}.`
      : '';
  if (!worst) return quietSentence(overview, conditions, clock) + paused;
  const named = new Set(
    items.flatMap((item) => {
      if (item.kind === 'no_runner') return item.projects.map(({ slug }) => slug);
      return item.kind === 'runner_offline' ? [] : [item.project.slug];
    }),
  );
  const text = attentionText(worst, { now: overview.now, clock });
  if (worst.kind === 'runner_offline') return text + paused;
  const count = `${named.size} of ${formatCounted(projects.length, 'project')} ${named.size === 1 ? 'needs' : 'need'} attention.`;
  return `${count} ${worst.kind === 'no_runner' ? '' : `${worst.project.name}: `}${text}${paused}`;
}

/** ` and nothing is checked`; empty where runners check every project without an agent. */
function uncheckedClause({ projects, runners }: Overview): string {
  const unchecked = projects.filter((project) => !isBeingChecked(project, runners));
  if (unchecked.length === 0) return '';
  if (unchecked.length === projects.length) return ' and nothing is checked';
  return ` and nothing is checked for ${unchecked.length} of ${formatCounted(projects.length, 'project')}`;
}

/** Nothing needs attention, and the sentence says what that is based on. */
function quietSentence(overview: Overview, conditions: readonly Condition[], clock: Clock): string {
  const { projects } = overview;
  const muted = projects.flatMap((project, index) => {
    const condition = conditions[index];
    return condition && condition.muted.length > 0
      ? [`${project.name}: ${mutedClause(condition.muted, project, clock)}`]
      : [];
  });
  const [first, ...others] = muted;
  if (first) {
    const more = others.length > 0 ? ` ${formatCounted(others.length, 'more project')} muted.` : '';
    return `${asSentence(first)}${more} Nothing else needs attention.`;
  }
  const unchecked = projects.filter(
    ({ services: { healthy, degraded, down } }) => healthy + degraded + down === 0,
  );
  const count = formatCounted(projects.length, 'project');
  if (unchecked.length === projects.length) {
    return `${count}, and nothing has been checked yet.`;
  }
  const moving = projects.filter(({ lastChain }) => lastChain && lastChain.outcome === null);
  const facts = [
    ...(unchecked.length > 0 ? [`${unchecked.length} not checked yet`] : []),
    ...(moving.length > 0 ? [`${formatCounted(moving.length, 'chain')} running`] : []),
  ];
  return `Nothing needs attention. ${[count, ...facts].join(', ')}.`;
}

interface ServiceSentenceFacts {
  name: string;
  status: ServiceStatus;
  statusSince: Date | null;
  failingSince: Date | null;
  lastError: string;
  snooze: { until: Date; by: string; reason: string } | null;
}

/** State, why, and what keeps it quiet. */
export function serviceSentence(service: ServiceSentenceFacts, telling: Telling): string {
  const { name, status, statusSince, failingSince, lastError, snooze } = service;
  if (status === 'unknown') {
    return lastError
      ? `${name} couldn’t be checked. ${asSentence(lastError)}`
      : `${name} has not been checked yet.`;
  }
  const state = stateClause(
    { names: [name], status, statusSince, since: failingSince ?? statusSince },
    telling,
  );
  const why = lastError && status !== 'healthy' ? ` ${asSentence(lastError)}` : '';
  const quiet = snooze
    ? ` Snoozed by ${snooze.by} until ${telling.clock(snooze.until)}${snooze.reason ? `: ${snooze.reason}` : ''}; nothing escalates.`
    : '';
  return `${asSentence(state)}${why}${quiet}`;
}
