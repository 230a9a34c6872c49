/** A person merges an incident into another one, because it is the same outage. Pure. */
import { z } from 'zod';
import {
  type Acknowledgement,
  type AffectedService,
  acknowledgementOf,
  earliest,
  type Incident,
  type IncidentSignals,
  isActive,
  joiningIncidentSchema,
  latest,
  lookOf,
  type Need,
  needOf,
} from '../incident';
import type { IncidentNotice } from '../states';
import { type Applied, failing, over, quiet, verifyIfWell } from '../transitions';
import { eventKind, noted } from './event-kind';

/** Another incident. */
const referenceSchema = z.object({ incidentId: z.string(), number: z.number() });

/** It is part of another incident from then on. Nothing is proven by that. */
export const merged = eventKind({
  schema: z.object({ by: z.string(), note: z.string(), into: referenceSchema }),
  apply(incident, { by, into }, at) {
    const { services, alerts } = incident;
    const left = {
      ...incident,
      services: services.map((each) => ({ ...each, removedAt: each.removedAt ?? at })),
      alerts: alerts && { ...alerts, firing: { serviceIds: [], hasOther: false } },
    };
    const mergedIntoId = into.incidentId;
    return over(left, { resolution: 'merged', resolvedBy: by, mergedIntoId }, at);
  },
  text: ({ by, note, into }) => `${by} merged it into Incident #${into.number}.${noted(note)}`,
  isByPerson: true,
});

const joinedSchema = z.object({
  by: z.string(),
  note: z.string(),
  from: referenceSchema,
  /** People had been notified if that one needed a human. */
  isNeedKnown: z.boolean(),
  /** A chain looks at either. */
  isChainAtWork: z.boolean(),
  /** That one as it was then. */
  joining: joiningIncidentSchema,
});

export const joined = eventKind({
  schema: joinedSchema,
  apply: join,
  text: ({ by, note, from }) => `${by} merged Incident #${from.number} into it.${noted(note)}`,
  isByPerson: true,
});

/**
 * Takes another incident into this one. It begins with the earlier of the two first failures, is only well if
 * both are, and needs a human if either does. A person who works on either works on both, and of two
 * acknowledgements the one that lasts longer stays. People are notified of what they don't know yet.
 */
function join(incident: Incident, event: z.infer<typeof joinedSchema>, at: Date): Applied {
  if (incident.state === 'resolved') return quiet(incident);
  const { joining: other } = event;
  const own = acknowledgementOf(incident);
  const acknowledgement = longer(own, acknowledgementOf(other));
  const both = {
    ...incident,
    severity: incident.severity === 'critical' ? incident.severity : other.severity,
    startedAt: earliest(incident.startedAt, other.startedAt),
    services: servicesOf(incident.services, other.services),
    alerts: signalsOf(incident.alerts, other.alerts),
  };
  const taken: IncidentNotice[] = acknowledgement && !own ? ['acknowledged'] : [];
  if (both.state === 'verifying' && other.state === 'verifying') {
    const verifyingSince = latest(both.verifyingSince, other.verifyingSince);
    const fixChainId = both.fixChainId ?? other.fixChainId;
    return {
      incident: { ...both, acknowledgement, verifyingSince, fixChainId },
      notices: taken,
    };
  }
  const sides = [incident, other].filter((side) => isActive(side));
  const needsHuman = needOfBoth(sides.map((side) => side.needsHuman));
  const lookDueAt = acknowledgement ? null : earliest(lookOf(incident), lookOf(other));
  // A chain that starts or works decides first.
  const waits = needsHuman !== null || lookDueAt !== null || event.isChainAtWork;
  const facts = {
    ...{ ...both, needsHuman },
    fixChainId: sides.find(({ fixChainId }) => fixChainId !== null)?.fixChainId ?? null,
    humanDueAt: waits ? null : sides.map(({ humanDueAt }) => humanDueAt).reduce(latest),
  };
  const next = failing(facts, acknowledgement, lookDueAt);
  const applied = needsHuman?.unproven ? quiet(next) : verifyIfWell(next, at);
  const isNews = !event.isNeedKnown && needOf(incident) === null;
  const isNeeded = applied.incident.state === 'open' && applied.incident.needsHuman !== null;
  const needed: IncidentNotice[] = isNews && isNeeded ? ['needs_human'] : [];
  return { ...applied, notices: [...taken, ...needed, ...applied.notices] };
}

/** Returns the earlier need. Only proofs are missing, unless either incident fails. */
function needOfBoth(needs: readonly (Need | null)[]): Need | null {
  const [first] = needs
    .filter((need) => need !== null)
    .toSorted((one, two) => one.since.getTime() - two.since.getTime());
  if (!first) return null;
  const unproven = needs.flatMap((need) => need?.unproven ?? []);
  return { ...first, unproven: needs.every((need) => need?.unproven) ? unproven : null };
}

function longer(one: Acknowledgement | null, other: Acknowledgement | null) {
  if (!one || !other) return one ?? other;
  const isLonger = one.endsAt !== null && (other.endsAt === null || other.endsAt > one.endsAt);
  return isLonger ? other : one;
}

function servicesOf(
  own: readonly AffectedService[],
  others: readonly AffectedService[],
): AffectedService[] {
  const added = others.filter(({ serviceId }) => !own.some((each) => each.serviceId === serviceId));
  return [
    ...own.map((each) => {
      const same = others.find(({ serviceId }) => serviceId === each.serviceId);
      return same ? sameService(each, same) : each;
    }),
    ...added,
  ];
}

/** One service in both: as it is where it is still watched, at its worst in either. */
function sameService(one: AffectedService, other: AffectedService): AffectedService {
  if (other.removedAt) return one;
  if (one.removedAt) return other;
  return {
    ...(other.wasFailing && !one.wasFailing ? other : one),
    worst: one.worst === 'down' ? 'down' : other.worst,
    failingSince: earliest(one.failingSince, other.failingSince),
    relapses: Math.max(one.relapses, other.relapses),
  };
}

function signalsOf(
  one: IncidentSignals | null,
  other: IncidentSignals | null,
): IncidentSignals | null {
  if (!one || !other) return one ?? other;
  const services = new Map(
    [...other.services, ...one.services].map((service) => [service.serviceId, service]),
  );
  const firingIds = [...one.firing.serviceIds, ...other.firing.serviceIds];
  return {
    title: one.title,
    services: [...services.values()],
    sources: [...new Set([...one.sources, ...other.sources])],
    firing: {
      serviceIds: [...new Set(firingIds)].toSorted(),
      hasOther: one.firing.hasOther || other.firing.hasOther,
    },
    returns: Math.max(one.returns, other.returns),
  };
}
