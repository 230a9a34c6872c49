/** What an event changes of an incident. Pure. */

import { heldBySignals, signalEnded, signalFiring } from './apply-signal';
import {
  type AffectedService,
  type Incident,
  type IncidentEvent,
  presentServices,
  type UnprovenCheck,
} from './incident';
import { joined, merged } from './merge';
import { holdsOpen, reportMore, serviceIdsOf } from './signals-of-incident';
import { silenced, silenceEnded } from './silence';
import type { IncidentSource } from './states';
import {
  type Applied,
  isActive,
  NEED_A_HUMAN,
  needHuman,
  newIncident,
  quiet,
  reopened,
  standing,
  verifyIfWell,
} from './transitions';

/** How long checks may need to notice a fix, where an event doesn't say: in milliseconds. */
export const MIN_RECHECK_MS = 120_000;

/** A service that fails so often after a recovery isn't a case for another chain. */
const RELAPSES_FOR_A_HUMAN = 2;

/** Returns the incident that a failing service opens. */
export function openIncident(
  source: IncidentSource,
  event: Extract<IncidentEvent, { kind: 'service_failing' }>,
  at: Date,
): Applied {
  const startedAt = earliest(new Date(event.failingSince), at);
  const incident = withService(newIncident(source, startedAt, at), event, at);
  return foundByChain({ lookDueAt: null }, { incident, notices: ['opened'] }, event, at);
}

/** Returns what follows from an event that happened `at` that time. */
export function applyEvent(incident: Incident, event: IncidentEvent, at: Date): Applied {
  const ruled = heldBySignals(incident, applyRules(incident, event, at));
  const applied =
    event.kind === 'service_failing' ? foundByChain(incident, ruled, event, at) : ruled;
  if (incident.state !== 'verifying' || !isActive(applied.incident)) return applied;
  return { ...applied, notices: [...applied.notices, 'verification_failed'] };
}

/** A chain that finds a failure has just looked, and says whether people are needed. */
function foundByChain(
  { lookDueAt }: Pick<Incident, 'lookDueAt'>,
  applied: Applied,
  { chainId, needsHuman }: Failing,
  at: Date,
): Applied {
  if (chainId === undefined || !isActive(applied.incident)) return applied;
  const looked: Incident = { ...applied.incident, lookDueAt };
  if (!needsHuman) return { ...applied, incident: looked };
  const needing = needHuman(looked, chainId, at);
  return { incident: needing.incident, notices: [...applied.notices, ...needing.notices] };
}

function applyRules(incident: Incident, event: IncidentEvent, at: Date): Applied {
  switch (event.kind) {
    case 'service_failing':
      return failing(incident, event, at);
    case 'service_recovered':
      return recovered(incident, event.serviceId, at);
    case 'service_unknown':
      return unknown(incident, event.serviceId);
    case 'service_removed':
      return removed(incident, event.serviceId, at);
    case 'alert_firing':
      return signalFiring(incident, event, at);
    case 'alert_ended':
      return signalEnded(incident, event, at);
    case 'alerts_quiet':
      return resolved(incident, 'reported', null, at);
    case 'chain_started':
      return quiet({ ...incident, lookDueAt: null, humanDueAt: null, fixChainId: null });
    case 'chain_ended':
      return chainEnded(incident, event, at);
    case 'look_refused':
      return needHuman(event.isRetried ? incident : { ...incident, lookDueAt: null }, null, at);
    case 'needs_human':
      return event.unproven
        ? unproven(incident, event.unproven, at)
        : needHuman(incident, null, at);
    case 'acknowledged':
      return acknowledged(incident, event, at);
    case 'acknowledgement_ended':
      return acknowledgementEnded(incident, event.by, at);
    case 'silenced':
      return silenced(incident, event);
    case 'silence_ended':
      return silenceEnded(incident);
    case 'verified':
      return resolved(incident, incident.fixChainId ? 'fixed' : 'recovered', null, at);
    case 'resolved':
      return resolved(incident, 'manual', event.by, at);
    case 'merged':
      return merged(incident, event, at);
    case 'joined':
      return joined(incident, event, at);
  }
}

/** Returns the UUIDs of the services that a person works on, so that no agent does. */
export function heldServices(
  incident: Pick<Incident, 'state' | 'acknowledgement' | 'services' | 'alerts'>,
): string[] {
  if (incident.state === 'resolved' || !incident.acknowledgement) return [];
  return serviceIdsOf({ ...incident, services: presentServices(incident) });
}

type Failing = Extract<IncidentEvent, { kind: 'service_failing' }>;

function serviceOf({ services }: Incident, id: string): AffectedService | undefined {
  return services.find(({ serviceId }) => serviceId === id);
}

function failing(incident: Incident, event: Failing, at: Date): Applied {
  const after = withService(incident, event, at);
  if (isEndedOccurrence(incident, event)) return quiet(after);
  if (incident.state === 'resolved' || incident.unproven) return reopened(after, at);
  const before = serviceOf(incident, event.serviceId);
  const isBack = incident.state === 'verifying';
  const next: Incident = {
    ...after,
    state: standing(incident),
    verifyingSince: null,
    fixChainId: isBack ? null : after.fixChainId,
  };
  // A person who has acknowledged it must not find an agent at work.
  const look = { lookDueAt: incident.acknowledgement ? null : at };
  const isReported = isReportedBySignal(incident, event.serviceId);
  const relapses = serviceOf(next, event.serviceId)?.relapses ?? 0;
  const isRelapse = relapses > (before?.relapses ?? 0);
  // The last time, an alert alone may have seen it.
  const returns = isBack && namesService(incident, event.serviceId) ? signalReturns(incident) : 0;
  if (isRelapse && relapses + returns >= RELAPSES_FOR_A_HUMAN) {
    const needing = needHuman({ ...next, lookDueAt: null }, null, at);
    const isKnown =
      returns >= RELAPSES_FOR_A_HUMAN ||
      incident.services.some((each) => each.relapses >= RELAPSES_FOR_A_HUMAN);
    return isKnown ? quiet(needing.incident) : needing;
  }
  if (!before || before.removedAt) {
    return quiet(isReported ? next : { ...next, ...look, humanDueAt: null });
  }
  const isWorse = before.worst === 'degraded' && event.status === 'down';
  const hasReturned = isReported && signalReturns(incident) > before.relapses;
  const isNews = (isRelapse && !hasReturned) || isWorse;
  return quiet(isNews ? { ...next, ...look } : next);
}

/** Whether a firing alert has already led to a look at this service; not one that was refused. */
function isReportedBySignal({ state, alerts, needsHuman }: Incident, serviceId: string): boolean {
  if (state === 'verifying' || needsHuman) return false;
  return alerts?.firing.serviceIds.includes(serviceId) ?? false;
}

function namesService({ alerts }: Incident, id: string): boolean {
  return alerts?.services.some(({ serviceId }) => serviceId === id) ?? false;
}

function signalReturns({ alerts }: Incident): number {
  return alerts?.returns ?? 0;
}

/** Whether it is the failure in spite of which a person ended the incident: it hasn't become worse. */
function isEndedOccurrence(incident: Incident, event: Failing): boolean {
  const { state, resolution, resolvedAt } = incident;
  const service = serviceOf(incident, event.serviceId);
  return (
    state === 'resolved' &&
    resolution === 'manual' &&
    resolvedAt !== null &&
    service?.removedAt === null &&
    service.wasFailing &&
    !(event.status === 'down' && service.worst === 'degraded') &&
    new Date(event.failingSince) <= resolvedAt
  );
}

function withService(incident: Incident, event: Failing, at: Date): Incident {
  const known = serviceOf(incident, event.serviceId);
  const before = known?.removedAt === null ? known : undefined;
  const since = earliest(new Date(event.failingSince), at);
  // Of one that only alerts were about, their end was the recovery.
  const isBack = before
    ? !before.wasFailing
    : incident.state === 'verifying' && namesService(incident, event.serviceId);
  const service: AffectedService = {
    serviceId: event.serviceId,
    name: event.name,
    status: event.status,
    worst: known?.worst === 'down' ? 'down' : event.status,
    failingSince: before?.wasFailing ? earliest(before.failingSince, since) : since,
    recoveredAt: null,
    error: event.error,
    wasFailing: true,
    relapses: (known?.relapses ?? 0) + (isBack ? 1 : 0),
    removedAt: null,
  };
  const joins = !before && incident.state !== 'resolved';
  return {
    ...incident,
    startedAt: joins ? earliest(incident.startedAt, since) : incident.startedAt,
    severity: service.worst === 'down' ? 'critical' : incident.severity,
    services: known
      ? incident.services.map((each) => (each === known ? service : each))
      : [...incident.services, service],
  };
}

function earliest(one: Date, other: Date): Date {
  return one < other ? one : other;
}

function recovered(incident: Incident, serviceId: string, at: Date): Applied {
  const change = { status: 'healthy', recoveredAt: at, wasFailing: false } as const;
  return verifyIfWell(changed(incident, serviceId, change), at);
}

/** What can't be checked isn't well. */
function unknown(incident: Incident, serviceId: string): Applied {
  const after = changed(incident, serviceId, { status: 'unknown', recoveredAt: null });
  if (after.state !== 'verifying' || after === incident) return quiet(after);
  return quiet({ ...after, state: standing(after), verifyingSince: null, fixChainId: null });
}

/**
 * It no longer has to be healthy; without anything left that it is about, the incident is over. An alert about
 * it that fires decides from now on.
 */
function removed(incident: Incident, serviceId: string, at: Date): Applied {
  const service = serviceOf(incident, serviceId);
  if (!service || service.removedAt) return quiet(incident);
  const status = service.status === 'healthy' ? 'healthy' : 'unknown';
  const after = changed(incident, serviceId, { status, removedAt: at });
  if (incident.state === 'resolved') return quiet(after);
  if (presentServices(after).length === 0 && !reportMore(after)) {
    return resolved(after, 'removed', null, at);
  }
  if (incident.state === 'verifying') {
    if (!holdsOpen(after)) return quiet(after);
    const look = incident.acknowledgement ? {} : { lookDueAt: at };
    return quiet({
      ...after,
      ...{ state: standing(after), verifyingSince: null, fixChainId: null, ...look },
    });
  }
  const applied = verifyIfWell(after, at);
  if (applied.notices.length === 0) return applied;
  // The rest has been healthy for longer: no fix is why.
  const uncredited = { ...applied.incident, fixChainId: null };
  return heldBySignals({ ...incident, fixChainId: null }, { ...applied, incident: uncredited });
}

/** Applies a change to a service; a service that has left the incident isn't changed. */
function changed(
  incident: Incident,
  serviceId: string,
  change: Partial<AffectedService>,
): Incident {
  const service = serviceOf(incident, serviceId);
  if (!service || service.removedAt) return incident;
  return {
    ...incident,
    services: incident.services.map((each) => (each === service ? { ...each, ...change } : each)),
  };
}

/** Nothing fails, as far as is known, but no result will prove it soon. */
function unproven(incident: Incident, checks: readonly UnprovenCheck[], at: Date): Applied {
  if (incident.state !== 'verifying') return quiet(incident);
  const state = standing(incident);
  return needHuman({ ...incident, state, verifyingSince: null, unproven: checks }, null, at);
}

function chainEnded(
  incident: Incident,
  event: Extract<IncidentEvent, { kind: 'chain_ended' }>,
  at: Date,
): Applied {
  const { chainId, outcome, startedAt, recheckMs = MIN_RECHECK_MS } = event;
  const isFix = outcome === 'fixed';
  const { verifyingSince } = incident;
  if (incident.state === 'verifying') {
    // It recovered while that chain worked on it.
    const wasAtWork =
      startedAt !== undefined && verifyingSince !== null && new Date(startedAt) <= verifyingSince;
    return quiet(isFix && wasAtWork ? { ...incident, fixChainId: chainId } : incident);
  }
  if (!isActive(incident)) return quiet(incident);
  if (NEED_A_HUMAN.includes(outcome)) return needHuman(incident, chainId, at);
  if (recheckMs === null) return quiet(incident);
  const dueAt = new Date(at.getTime() + recheckMs);
  // What failed while the chain ran needs no other one, unless checks go on failing: then people are needed.
  const looked = event.isCovered ? { ...incident, lookDueAt: null } : incident;
  if (isFix) return quiet({ ...looked, fixChainId: chainId, humanDueAt: dueAt });
  return quiet({ ...looked, humanDueAt: incident.humanDueAt ?? dueAt });
}

function acknowledged(
  incident: Incident,
  { by, endsAt }: Extract<IncidentEvent, { kind: 'acknowledged' }>,
  at: Date,
): Applied {
  if (incident.state === 'resolved') return quiet(incident);
  const acknowledgement = { at, by, endsAt: endsAt === null ? null : new Date(endsAt) };
  const state = incident.state === 'open' ? 'acknowledged' : incident.state;
  return {
    incident: { ...incident, acknowledgement, state, lookDueAt: null },
    notices: ['acknowledged'],
  };
}

function acknowledgementEnded(incident: Incident, by: string | null, at: Date): Applied {
  const state = incident.state === 'acknowledged' ? 'open' : incident.state;
  const after: Incident = { ...incident, acknowledgement: null, state };
  if (state !== 'open') return quiet(after);
  // Whoever takes it back knows; if its time is over, nobody may.
  const needsHuman = after.needsHuman ?? { since: at, chainId: null };
  // Taken back, it waits for a human as before: no agent could fix it. Nobody has looked at what failed since.
  const since = incident.acknowledgement?.at ?? at;
  const isAsBefore =
    by !== null &&
    incident.needsHuman !== null &&
    !presentServices(incident).some(
      ({ status, failingSince }) => status !== 'healthy' && failingSince > since,
    );
  return {
    incident: { ...after, needsHuman, lookDueAt: after.unproven || isAsBefore ? null : at },
    notices: by === null ? ['needs_human'] : [],
  };
}

function resolved(
  incident: Incident,
  resolution: 'fixed' | 'recovered' | 'removed' | 'manual' | 'reported',
  by: string | null,
  at: Date,
): Applied {
  if (incident.state === 'resolved') return quiet(incident);
  return {
    incident: {
      ...incident,
      state: 'resolved',
      resolution,
      resolvedBy: by,
      resolvedAt: at,
      silence: null,
      fixChainId: resolution === 'fixed' ? incident.fixChainId : null,
      needsHuman: null,
      unproven: null,
      lookDueAt: null,
      humanDueAt: null,
    },
    notices: ['resolved'],
  };
}
