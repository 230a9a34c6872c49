/** Clauses of the summary sentences: what fails since when, what chains did, what holds them back. */

import { formatCounted } from '@/lib/platform/format/count';
import { roughSpan } from '@/lib/platform/format/duration';
import type { Condition, Outage } from './condition';
import type { ChainFacts } from './rows';
import type { FailingService, Overview, ProjectFacts } from './schema';
import { hasRunner, isBeingChecked, needsPeople, usedUpBudget, waitsForPeople } from './state';

/** Writes a moment in the reader's zone: `14:56`, on another day `21 Nov 14:56`. */
export type Clock = (at: Date) => string;

export interface Telling {
  now: Date;
  clock: Clock;
}

/** Services that are all in one state. */
interface StateSpan {
  names: readonly string[];
  status: 'healthy' | 'degraded' | 'down';
  /** When the state began. */
  statusSince: Date | null;
  /** When the outage began, which may be before the state did. */
  since: Date | null;
}

const SAME_MOMENT_MS = 1_000;

/** `31 min`, `47 h`, `3 days`. */
export function outageLength(since: Date, now: Date): string {
  return roughSpan(Math.max(0, Math.round((now.getTime() - since.getTime()) / 1_000)));
}

/** `web has been down since 06:27 (31 min)`; `web and api are down, the first since 06:27 (31 min)`. */
export function stateClause(span: StateSpan, { now, clock }: Telling): string {
  const { names, status, since, statusSince } = span;
  const who = listed(names);
  const [is, has] = names.length === 1 ? ['is', 'has'] : ['are', 'have'];
  if (!since) return `${who} ${is} ${status}`;
  const when = `${clock(since)} (${outageLength(since, now)})`;
  if (names.length > 1) return `${who} ${is} ${status}, the first since ${when}`;
  const isWhole =
    !statusSince || Math.abs(statusSince.getTime() - since.getTime()) < SAME_MOMENT_MS;
  return isWhole
    ? `${who} ${has} been ${status} since ${when}`
    : `${who} ${is} ${status}, failing since ${when}`;
}

/** `web has been down since 06:27 (31 min), and api is degraded`. */
export function outageClause({ state, services }: Outage, telling: Telling): string {
  const worst = services.filter(({ status }) => status === state);
  const others = services.filter(({ status }) => status !== state).map(({ name }) => name);
  const [first] = worst;
  const clause = stateClause(
    {
      names: worst.map(({ name }) => name),
      status: state,
      since: first?.since ?? null,
      statusSince: first?.statusSince ?? null,
    },
    telling,
  );
  if (others.length === 0) return clause;
  return `${clause}, and ${listed(others)} ${others.length === 1 ? 'is' : 'are'} degraded`;
}

/** `web is down but snoozed by Ana Ruiz until 15:00`. */
export function mutedClause(
  muted: readonly FailingService[],
  { maintenance }: Pick<ProjectFacts, 'maintenance'>,
  clock: Clock,
): string {
  const states = muted.map((service) => {
    const { name, status, snooze } = service;
    const why = snooze
      ? `snoozed by ${snooze.by} until ${clock(snooze.until)}`
      : maintenance
        ? `in maintenance “${maintenance.name}” until ${clock(maintenance.endsAt)}`
        : 'muted';
    return `${name} is ${status} but ${why}`;
  });
  return states.length > 2
    ? `${states[0]}, and ${states.length - 1} other services are failing but muted`
    : states.join(', and ');
}

/** What the checks say of the project's services. */
export function projectStateClause(
  project: ProjectFacts,
  condition: Condition,
  telling: Telling,
): string {
  const { outage, muted } = condition;
  const quiet = muted.length > 0 ? mutedClause(muted, project, telling.clock) : null;
  if (outage) {
    const clause = outageClause(outage, telling);
    return quiet ? `${clause}, and ${quiet}` : clause;
  }
  const { healthy, degraded, down, unknown } = project.services;
  const count = healthy + degraded + down + unknown;
  if (count === 0) return 'No service is watched yet';
  if (quiet)
    return healthy > 0 ? `${quiet}; ${formatCounted(healthy, 'other service')} healthy` : quiet;
  if (unknown === count) {
    return project.lastVerdict ? 'No service could be checked' : 'No service has been checked yet';
  }
  if (unknown > 0) {
    return `${formatCounted(healthy, 'service')} healthy, ${unknown} not checked`;
  }
  return project.onlyService
    ? `${project.onlyService} is healthy`
    : `All ${count} services are healthy`;
}

/** What chains did and do about a state; null when there is nothing to say. */
export function chainClause(project: ProjectFacts, { outage }: Condition): string | null {
  const { lastChain, lastVerdict } = project;
  const names = outage?.services.map(({ name }) => name) ?? [];
  const moving = lastChain && lastChain.outcome === null ? movingClause(lastChain, names) : null;
  // Whoever acknowledged its chain works on it.
  const waiting = outage?.acknowledged?.incidentNumber === null ? null : needsPeople(project);
  const isVerdictOpen = waitsForPeople(lastVerdict);
  const needs = [
    ...(isVerdictOpen ? [verdictClause(lastVerdict, names)] : []),
    // A chain that was about an incident says the same.
    ...(waiting && !(isVerdictOpen && lastVerdict.incidentState)
      ? [`Incident #${waiting.number} needs a human`]
      : []),
  ];
  if (needs.length > 0) return [...needs, ...(moving ? [moving] : [])].join('; ');
  if (outage?.acknowledged) {
    const { by, chainNumber, incidentNumber } = outage.acknowledged;
    const where = incidentNumber === null ? `Chain #${chainNumber}` : `Incident #${incidentNumber}`;
    return `acknowledged by ${by} in ${where}${moving ? `; ${moving}` : ''}`;
  }
  if (moving) return moving;
  const own = incidentClause(project, outage);
  if (own) return own;
  const isHeldBack = outage !== null && lastVerdict?.outcome === 'suppressed';
  if (lastVerdict?.incidentState && !(isHeldBack && lastVerdict.incidentState === 'open')) {
    return unconfirmedFix(lastVerdict, outage);
  }
  if (lastVerdict) return verdictClause(lastVerdict, names);
  return lastChain ? `Chain #${lastChain.number} was stopped before it ended` : null;
}

/** A fix that the checks of its incident don't show yet. Anything else that a chain says is over with its incident. */
function unconfirmedFix(
  { outcome, incidentState, highestTier, number }: ChainFacts,
  outage: Outage | null,
) {
  const isOpen = incidentState === 'open' || incidentState === 'acknowledged';
  if (outcome !== 'fixed' || !isOpen || !outage) return null;
  return `tier ${highestTier} reported a fix in Chain #${number}, which no check confirms yet`;
}

/** The incident that isn't over; null for none, and where what fails says more. */
function incidentClause({ incident }: ProjectFacts, outage: Outage | null): string | null {
  if (!incident) return null;
  const named = `Incident #${incident.number}`;
  switch (incident.state) {
    case 'verifying':
      return `${named} is being verified`;
    case 'acknowledged':
      return outage ? null : `${named} is acknowledged by ${incident.acknowledgedBy ?? 'someone'}`;
    case 'open':
      return outage ? null : `${named} is open`;
  }
}

function movingClause(chain: ChainFacts, failing: readonly string[]): string {
  if (chain.status === 'running') {
    const tier = Math.max(chain.highestTier, 1);
    const does =
      tier === 1 ? 'is checking' : failing.length > 0 ? 'is working on it' : 'is running';
    return `tier ${tier} ${does} in Chain #${chain.number}`;
  }
  const text = asClause(chain.statusText);
  return text ? `Chain #${chain.number}: ${text}` : `Chain #${chain.number} is ${chain.status}`;
}

/** Why a chain that found trouble was kept from escalating, by the code of its reason. */
const HELD_BACK: Record<string, string> = {
  DRY_RUN: 'because it was a dry run',
  PAUSED: 'because of a pause',
  SNOOZED: 'because of a snooze',
  ACKNOWLEDGED: 'because a chain was acknowledged',
  MAINTENANCE: 'because of a maintenance window',
};

/** `failing`: names of the services that fail now, whatever the chain reported. */
function verdictClause(chain: ChainFacts, failing: readonly string[]): string {
  const named = `Chain #${chain.number}`;
  const tier = Math.max(chain.highestTier, 1);
  const why = asClause(chain.statusText);
  const because = why ? `: ${why}` : '';
  switch (chain.outcome) {
    case 'healthy':
      return failing.length > 0
        ? `${named} reported no problems, but the check still fails`
        : `${named} found no problems`;
    case 'fixed': {
      const what = listed(chain.servicesAffected) || 'the problem';
      return failing.length > 0
        ? `tier ${tier} reported a fix in ${named}, but the check still fails`
        : `tier ${tier} reported a fix for ${what} in ${named}`;
    }
    case 'findings':
      return chain.outcomeReason === 'UNCHECKED'
        ? `${named} reported no problems, but couldn’t run every check`
        : `${named} reported findings and changed nothing`;
    case 'suppressed':
      return `${named} did not escalate${HELD_BACK[chain.outcomeReason ?? ''] ? ` ${HELD_BACK[chain.outcomeReason ?? '']}` : because}`;
    case 'needs_human':
      return chain.acknowledgedBy
        ? `${named} needed a human and was acknowledged by ${chain.acknowledgedBy}`
        : `${named} needs a human${because}`;
    case 'failed':
    case 'lost': {
      const end = chain.outcome === 'lost' ? 'was lost' : 'failed';
      const acknowledged = chain.acknowledgedBy ? `, acknowledged by ${chain.acknowledgedBy}` : '';
      return `${named} ${end} in tier ${tier}${acknowledged || because}`;
    }
    default:
      return `${named} ended`;
  }
}

/** What keeps the next chain from starting, as sentences; empty when nothing does. */
export function holdSentences(
  project: ProjectFacts,
  { organization, runners, isDryRunForced }: Overview,
  condition: Condition,
): string[] {
  const pause = organization.pause ?? project.pause;
  const budget = usedUpBudget(project);
  const isFailing = condition.outage !== null;
  const isChecked = isBeingChecked(project, runners);
  if (pause) {
    const who = organization.pause ? organization.name : project.name;
    const checks = isChecked ? '' : ' and nothing is checked';
    return [`${who} is paused by ${pause.by}, so no chain starts${checks}.`];
  }
  return [
    ...(budget
      ? [`${project.name} has used up its budget of the ${budget.span}, so no chain starts.`]
      : []),
    ...(hasRunner(project, runners)
      ? []
      : [
          `No runner of pool ${project.pool} takes new work, so ${isChecked ? 'no chain starts' : 'nothing is checked'}.`,
        ]),
    ...(isFailing && (project.isDryRun || isDryRunForced)
      ? ['Dry run: no tier above 1 starts.']
      : []),
  ];
}

/** `web`, `web and api`, `web, api and 3 more`. */
export function listed(names: readonly string[]): string {
  if (names.length > 3) return `${names.slice(0, 2).join(', ')} and ${names.length - 2} more`;
  if (names.length < 2) return names.join('');
  return `${names.slice(0, -1).join(', ')} and ${names.at(-1)}`;
}

/** Words of our own that begin a status text. Anything else may be a name, whose case counts. */
const OWN_WORDS = /^(Tier|All|Runner|Escalation|No|The|A|An|It|Waiting|Stopped|Stopping|Queued)\b/;

/** A status text as the last part of a sentence, without its end. */
function asClause(text: string): string {
  const clause = text.trim().replace(/\.$/, '');
  return OWN_WORDS.test(clause) ? clause.charAt(0).toLowerCase() + clause.slice(1) : clause;
}

export function asSentence(clause: string): string {
  return `${clause.replace(/\.$/, '')}.`;
}
