/** What alerts of other systems change of an incident. Pure. */

import { type Incident, type IncidentEvent, presentServices } from './incident';
import { holdsOpen, serviceIdsOf } from './signals-of-incident';
import {
  type Applied,
  isActive,
  needHuman,
  newIncident,
  quiet,
  reopened,
  standing,
  verifyIfWell,
} from './transitions';

type Firing = Extract<IncidentEvent, { kind: 'alert_firing' }>;
type Ended = Extract<IncidentEvent, { kind: 'alert_ended' }>;

/** From then on, an alert that fires again during the verification needs a human instead of a chain. */
const RETURNS_FOR_HUMAN = 2;

/** Returns the incident that alerts open. */
export function openBySignals(event: Firing, at: Date): Applied {
  const incident = newIncident('alert', at, at);
  return { incident: withSignals(incident, event, at), notices: ['opened'] };
}

/** Takes firing alerts into an incident. One that is resolved is reopened. */
export function signalFiring(incident: Incident, event: Firing, at: Date): Applied {
  const after = withSignals(incident, event, at);
  if (isBehindChecks(incident, event) || isEndedFailure(incident, event)) return quiet(after);
  if (incident.state === 'resolved' || incident.unproven) return reopened(after, at);
  const active: Incident = {
    ...after,
    state: standing(incident),
    verifyingSince: null,
  };
  if (incident.state === 'verifying') {
    return returned({ ...active, fixChainId: null }, event, at);
  }
  const known = serviceIdsOf(incident);
  const isNews =
    event.services.some(({ serviceId }) => !known.includes(serviceId)) ||
    (event.hasOther && !incident.alerts?.firing.hasOther);
  // Whoever has acknowledged it is at work already.
  const looks =
    isNews && incident.acknowledgement === null ? { lookDueAt: at, humanDueAt: null } : {};
  return quiet({ ...active, ...looks });
}

/**
 * Takes the end of alerts into an incident. That a source reports the end proves nothing, so the
 * incident is verified; while checks fail or another alert fires, not even that. If nobody knows how
 * it ended, people have to look.
 */
export function signalEnded(incident: Incident, event: Ended, at: Date): Applied {
  const after: Incident = {
    ...incident,
    alerts: incident.alerts && { ...incident.alerts, firing: event.firing },
  };
  if (!isActive(incident) || holdsOpen(after)) return quiet(after);
  if (event.isUnknown) return needHuman(after, null, at);
  return verifyIfWell(after, at);
}

/** Keeps an incident from being verified while alerts fire about what its checks don't cover. */
export function heldBySignals(before: Incident, applied: Applied): Applied {
  const { incident, notices } = applied;
  const isVerified = incident.state === 'verifying' && before.state !== 'verifying';
  if (!isVerified || !holdsOpen(incident)) return applied;
  const { state, needsHuman, unproven, lookDueAt, humanDueAt, fixChainId } = before;
  return {
    incident: {
      ...incident,
      ...{ state, needsHuman, unproven, lookDueAt, humanDueAt, fixChainId },
      verifyingSince: null,
    },
    notices: notices.filter((notice) => notice !== 'verifying'),
  };
}

/**
 * Whether the checks of the incident already say more: each alert began before they passed, and only
 * arrived afterwards.
 */
function isBehindChecks(incident: Incident, event: Firing): boolean {
  const wellSince = incident.verifyingSince ?? incident.resolvedAt;
  if (wellSince === null || event.hasOther) return false;
  const checked = new Set(presentServices(incident).map(({ serviceId }) => serviceId));
  return (
    new Date(event.newestAt) <= wellSince &&
    event.services.every(({ serviceId }) => checked.has(serviceId))
  );
}

/** Whether they are about failures that last, and in spite of which a person ended the incident. */
function isEndedFailure(incident: Incident, { hasOther, services }: Firing): boolean {
  if (incident.state !== 'resolved' || incident.resolution !== 'manual' || hasOther) return false;
  const lasting = presentServices(incident).filter(({ wasFailing }) => wasFailing);
  const ids = new Set(lasting.map(({ serviceId }) => serviceId));
  return services.every(({ serviceId }) => ids.has(serviceId));
}

function withSignals(incident: Incident, event: Firing, at: Date): Incident {
  const startedAt = new Date(event.startedAt);
  const { alerts } = incident;
  const known = alerts?.services ?? [];
  const added = event.services.filter(
    ({ serviceId }) => !known.some((service) => service.serviceId === serviceId),
  );
  return {
    ...incident,
    severity: event.severity === 'critical' ? 'critical' : incident.severity,
    // One that belongs to an incident since it was opened may have begun before.
    startedAt:
      alerts === null && startedAt < incident.startedAt && startedAt < at
        ? startedAt
        : incident.startedAt,
    alerts: {
      title: alerts?.title ?? event.alerts[0]?.title ?? '',
      services: [...known, ...added],
      sources: [...new Set([...(alerts?.sources ?? []), ...event.sources])],
      firing: event.firing,
      returns: alerts?.returns ?? 0,
    },
  };
}

/**
 * An alert fires again before its end was verified: the agent looks once more, then people have to. They are
 * notified once. A relapse that the checks of its service have seen counts, too.
 */
function returned(incident: Incident, event: Firing, at: Date): Applied {
  const before = incident.alerts?.returns ?? 0;
  const returns = before + 1;
  const after = { ...incident, alerts: incident.alerts && { ...incident.alerts, returns } };
  const seen = presentServices(incident).filter((service) =>
    event.services.some(({ serviceId }) => serviceId === service.serviceId),
  );
  const relapses = Math.max(0, ...seen.map((service) => service.relapses));
  if (returns + relapses >= RETURNS_FOR_HUMAN) {
    const needing = needHuman({ ...after, lookDueAt: null }, null, at);
    return before + relapses >= RETURNS_FOR_HUMAN ? quiet(needing.incident) : needing;
  }
  const looks = incident.acknowledgement === null ? { lookDueAt: at } : {};
  return quiet({ ...after, ...looks });
}
