/** A service fails: its checks say so, or a chain found it. Pure. */
import { z } from 'zod';
import {
  type AffectedService,
  earliest,
  type Incident,
  isActive,
  lookOf,
  needOf,
  serviceOf,
} from '../incident';
import { FAILING_STATUSES, type IncidentSource } from '../states';
import {
  type Applied,
  failsAgain,
  lookAt,
  needHuman,
  newIncident,
  quiet,
  reopened,
} from '../transitions';
import { eventKind, noted } from './event-kind';

/** A service that fails so often after a recovery isn't a case for another chain. */
const RELAPSES_FOR_A_HUMAN = 2;

const schema = z.object({
  serviceId: z.string(),
  name: z.string(),
  status: z.enum(FAILING_STATUSES),
  failingSince: z.string(),
  error: z.string(),
  /** Absent unless a chain found it, with `isReported`: its agent says so, and no check does. */
  chainId: z.string().optional(),
  isReported: z.boolean().optional(),
  /** That chain ended so that only people can continue. */
  needsHuman: z.boolean().optional(),
});
type Failing = z.infer<typeof schema>;

export const serviceFailing = eventKind({
  schema,
  apply: (incident, event, at) =>
    foundByChain(lookOf(incident), failing(incident, event, at), event, at),
  text({ name, status, error, chainId, isReported }, { chain }) {
    if (!chainId) return `${name} is ${status}.${noted(error)}`;
    const finder = isReported
      ? `The agent of ${chain(chainId)} reported`
      : `${chain(chainId)} found`;
    return `${finder} ${name} ${status}.${noted(error)}`;
  },
});

/** Returns the incident that a failing service opens. */
export function openByFailure(source: IncidentSource, event: Failing, at: Date): Applied {
  const startedAt = earliest(new Date(event.failingSince), at);
  const incident = withService(newIncident(source, startedAt, at), event, at);
  return foundByChain(null, { incident, notices: ['opened'] }, event, at);
}

/** A chain that finds a failure has just looked, and says whether people are needed. */
function foundByChain(
  lookDueAt: Date | null,
  applied: Applied,
  { chainId, needsHuman }: Failing,
  at: Date,
): Applied {
  if (chainId === undefined || !isActive(applied.incident)) return applied;
  const looked = lookAt(applied.incident, lookDueAt);
  if (!needsHuman) return { ...applied, incident: looked };
  const needing = needHuman(looked, chainId, at);
  return { incident: needing.incident, notices: [...applied.notices, ...needing.notices] };
}

function failing(incident: Incident, event: Failing, at: Date): Applied {
  const after = withService(incident, event, at);
  if (isEndedOccurrence(incident, event)) return quiet(after);
  if (after.state === 'resolved' || needOf(after)?.unproven) return reopened(after, at);
  const before = serviceOf(incident, event.serviceId);
  const isBack = after.state === 'verifying';
  const next = isBack ? failsAgain(after) : after;
  const isReported = isReportedBySignal(incident, event.serviceId);
  const relapses = serviceOf(next, event.serviceId)?.relapses ?? 0;
  const isRelapse = relapses > (before?.relapses ?? 0);
  const signalReturns = incident.alerts?.returns ?? 0;
  // The last time, an alert alone may have seen it.
  const returns = isBack && namesService(incident, event.serviceId) ? signalReturns : 0;
  if (isRelapse && relapses + returns >= RELAPSES_FOR_A_HUMAN) {
    const needing = needHuman(lookAt(next, null), null, at);
    const isKnown =
      returns >= RELAPSES_FOR_A_HUMAN ||
      incident.services.some((each) => each.relapses >= RELAPSES_FOR_A_HUMAN);
    return isKnown ? quiet(needing.incident) : needing;
  }
  if (!before || before.removedAt) {
    return quiet(isReported ? next : { ...lookAt(next, at), humanDueAt: null });
  }
  const isWorse = before.worst === 'degraded' && event.status === 'down';
  const hasReturned = isReported && signalReturns > before.relapses;
  const isNews = (isRelapse && !hasReturned) || isWorse;
  return quiet(isNews ? lookAt(next, at) : next);
}

/** Whether a firing alert has already led to a look at this service; not one that was refused. */
function isReportedBySignal(incident: Incident, serviceId: string): boolean {
  if (!isActive(incident) || incident.needsHuman) return false;
  return incident.alerts?.firing.serviceIds.includes(serviceId) ?? false;
}

function namesService({ alerts }: Incident, id: string): boolean {
  return alerts?.services.some(({ serviceId }) => serviceId === id) ?? false;
}

/** Whether it is the failure in spite of which a person ended the incident: it hasn't become worse. */
function isEndedOccurrence(incident: Incident, event: Failing): boolean {
  const service = serviceOf(incident, event.serviceId);
  return (
    incident.state === 'resolved' &&
    incident.resolution === 'manual' &&
    service?.removedAt === null &&
    service.wasFailing &&
    !(event.status === 'down' && service.worst === 'degraded') &&
    new Date(event.failingSince) <= incident.resolvedAt
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
