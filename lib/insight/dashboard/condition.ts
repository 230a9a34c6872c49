/** What state a project is in, from rows alone. Every badge, sentence and order derives from it. */

import type { Acknowledged, ChainFacts } from './rows';
import type { FailingService, Overview, ProjectFacts } from './schema';
import { hasRunner, needsPeople, openIncident, usedUpBudget, waitsForPeople } from './state';

/** Worst first. The first ATTENTION_STATES need someone's attention. */
const STATES = [
  // A service is down, and nobody has said that it may be.
  'down',
  // Nothing is known to be down, but an incident or the end of a chain needs a person.
  'needs_human',
  // Nothing can start: no budget or no runner is left.
  'blocked',
  'degraded',
  // An incident is open that no failing check shows: alerts report it, or its services can't be checked.
  'incident',
  // Services fail, and each is snoozed or in a maintenance window.
  'muted',
  'paused',
  // Nothing has been checked yet.
  'unknown',
  'ok',
] as const;
export type ProjectState = (typeof STATES)[number];

const ATTENTION_STATES: readonly ProjectState[] = [
  'down',
  'needs_human',
  'blocked',
  'degraded',
  'incident',
];

/** Services of a project that fail now, taken together. */
export interface Outage {
  state: 'down' | 'degraded';
  /** The worst first, then the longest. */
  services: FailingService[];
  /** The first failed check of the services in the worst state; null when none is known. */
  since: Date | null;
  /** Someone has acknowledged every service in the worst state. */
  acknowledged: Acknowledged | null;
  /** Chains since the outage began, the one that found it included. */
  chains: number;
}

export interface Condition {
  state: ProjectState;
  /** What fails and isn't muted. */
  outage: Outage | null;
  /** What fails and is snoozed or in a maintenance window. */
  muted: FailingService[];
  needsAttention: boolean;
  /** When it began; null when that isn't known or doesn't apply. */
  since: Date | null;
  isPaused: boolean;
}

type Around = Pick<Overview, 'organization' | 'runners'>;

export function conditionOf(project: ProjectFacts, around: Around): Condition {
  const muted = project.failing.filter(
    (service) => service.snooze !== null || project.maintenance !== null,
  );
  const outage = outageOf(project.failing.filter((service) => !muted.includes(service)));
  const isPaused = around.organization.pause !== null || project.pause !== null;
  const state = stateOf(project, { outage, muted, isPaused, around });
  return {
    state,
    outage,
    muted,
    isPaused,
    needsAttention: ATTENTION_STATES.includes(state),
    since: sinceOf(state, outage, project),
  };
}

interface Found extends Pick<Condition, 'outage' | 'muted' | 'isPaused'> {
  around: Around;
}

function stateOf(project: ProjectFacts, { outage, muted, isPaused, around }: Found): ProjectState {
  const { healthy, degraded, down } = project.services;
  if (outage?.state === 'down') return 'down';
  // What can't be checked isn't well: such an incident counts whatever its services show.
  if (needsPeople(project)) return 'needs_human';
  if (waitsForPeople(project.lastVerdict) && !isMuted(project.lastVerdict, muted)) {
    return 'needs_human';
  }
  // A pause is deliberate, so it is not the lack of a budget or runner that keeps chains back.
  if (!isPaused && (usedUpBudget(project) || !hasRunner(project, around.runners))) return 'blocked';
  if (outage) return 'degraded';
  if (openIncident(project)) return 'incident';
  if (muted.length > 0) return 'muted';
  if (isPaused) return 'paused';
  return healthy + degraded + down > 0 ? 'ok' : 'unknown';
}

/** The chain was about nothing but services that are muted. */
function isMuted({ servicesAffected }: ChainFacts, muted: readonly FailingService[]): boolean {
  return (
    servicesAffected.length > 0 &&
    servicesAffected.every((name) => muted.some((service) => service.name === name))
  );
}

function outageOf(failing: readonly FailingService[]): Outage | null {
  const services = failing.toSorted(
    (one, other) =>
      Number(other.status === 'down') - Number(one.status === 'down') ||
      timeOf(one.since) - timeOf(other.since),
  );
  const [worst] = services;
  if (!worst) return null;
  const inState = services.filter(({ status }) => status === worst.status);
  return {
    state: worst.status,
    services,
    since: worst.since,
    acknowledged: inState.every(({ acknowledged }) => acknowledged) ? worst.acknowledged : null,
    chains: Math.max(...services.map(({ chains }) => chains)),
  };
}

function sinceOf(state: ProjectState, outage: Outage | null, project: ProjectFacts): Date | null {
  if (state === 'needs_human') {
    const { lastVerdict } = project;
    return (
      needsPeople(project)?.needsHumanSince ??
      lastVerdict?.endedAt ??
      lastVerdict?.createdAt ??
      null
    );
  }
  return state === 'down' || state === 'degraded' ? (outage?.since ?? null) : null;
}

/** Of two that are equally bad, what someone has in hand comes last, and the longest outage first. */
export function compareConditions(one: Condition, other: Condition): number {
  return (
    STATES.indexOf(one.state) - STATES.indexOf(other.state) ||
    Number(one.outage?.acknowledged != null) - Number(other.outage?.acknowledged != null) ||
    timeOf(one.since) - timeOf(other.since)
  );
}

/** An unknown beginning sorts last. Infinity would make NaN of a difference. */
function timeOf(at: Date | null): number {
  return at?.getTime() ?? Number.MAX_SAFE_INTEGER;
}
