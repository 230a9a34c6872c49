/** Alerts of other systems fire. Pure. */
import { z } from 'zod';
import {
  type ActiveIncident,
  factsOf,
  firingSignalsSchema,
  type Incident,
  needOf,
  presentServices,
} from '../incident';
import { serviceIdsOf } from '../signals-of-incident';
import { incidentSeveritySchema } from '../states';
import {
  type Applied,
  failsAgain,
  lookAt,
  needHuman,
  newIncident,
  quiet,
  reopened,
} from '../transitions';
import { eventKind, quotedSignals, signalsText } from './event-kind';

/** From then on, an alert that fires again during the verification needs a human instead of a chain. */
const RETURNS_FOR_HUMAN = 2;

const schema = z.object({
  ...quotedSignals,
  severity: incidentSeveritySchema,
  services: z.array(z.object({ serviceId: z.string(), name: z.string() })),
  sources: z.array(z.string()),
  /** At least one of them names no service of the project. */
  hasOther: z.boolean(),
  /** When the first of them began, as its source says. */
  startedAt: z.string(),
  /**
   * When the last of them began: at most 5 minutes before it was received, in case that source's clock is
   * behind.
   */
  newestAt: z.string(),
  /** What fires in the incident from then on. */
  firing: firingSignalsSchema,
});
type Firing = z.infer<typeof schema>;

/** One that is resolved is reopened. */
export const alertFiring = eventKind({
  schema,
  apply: firing,
  text: (event) =>
    `${signalsText(event)} ${event.alerts.length + event.more === 1 ? 'fires' : 'fire'}.`,
});

/** Returns the incident that alerts open. */
export function openBySignals(event: Firing, at: Date): Applied {
  const incident = newIncident('alert', at, at);
  return { incident: withSignals(incident, event, at), notices: ['opened'] };
}

function firing(incident: Incident, event: Firing, at: Date): Applied {
  const after = withSignals(incident, event, at);
  if (isBehindChecks(incident, event) || isEndedFailure(incident, event)) return quiet(after);
  if (after.state === 'resolved' || needOf(after)?.unproven) return reopened(after, at);
  if (after.state === 'verifying') return returned(failsAgain(after), event, at);
  const known = serviceIdsOf(incident);
  const isNews =
    event.services.some(({ serviceId }) => !known.includes(serviceId)) ||
    (event.hasOther && !incident.alerts?.firing.hasOther);
  // Whoever has acknowledged it is at work already.
  const looks = isNews && after.state === 'open';
  return quiet(looks ? { ...after, lookDueAt: at, humanDueAt: null } : after);
}

/**
 * Whether the checks of the incident already say more: each alert began before they passed, and only
 * arrived afterwards.
 */
function isBehindChecks(incident: Incident, event: Firing): boolean {
  const { verifyingSince, resolvedAt } = factsOf(incident);
  const wellSince = verifyingSince ?? resolvedAt;
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
function returned(incident: ActiveIncident, event: Firing, at: Date): Applied {
  const before = incident.alerts?.returns ?? 0;
  const returns = before + 1;
  const after = { ...incident, alerts: incident.alerts && { ...incident.alerts, returns } };
  const seen = presentServices(incident).filter((service) =>
    event.services.some(({ serviceId }) => serviceId === service.serviceId),
  );
  const relapses = Math.max(0, ...seen.map((service) => service.relapses));
  if (returns + relapses >= RETURNS_FOR_HUMAN) {
    const needing = needHuman(after, null, at);
    return before + relapses >= RETURNS_FOR_HUMAN ? quiet(needing.incident) : needing;
  }
  return quiet(lookAt(after, at));
}
