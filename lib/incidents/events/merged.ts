/** A person merges an incident into another one, because it is the same outage. Pure. */
import { z } from 'zod';
import { serviceStatusSchema } from '@/lib/protocol/spec';
import {
  type AffectedService,
  earliest,
  type Incident,
  latest,
  unprovenChecksSchema,
} from '../incident';
import { type IncidentSignals, incidentSignalsSchema } from '../signals-of-incident';
import {
  FAILING_STATUSES,
  type IncidentNotice,
  incidentSeveritySchema,
  incidentStateSchema,
} from '../states';
import { type Applied, isActive, quiet, standing, verifyIfWell } from '../transitions';
import { eventKind, noted } from './event-kind';

const time = z.coerce.date();

const joiningSchema = z.object({
  state: incidentStateSchema,
  severity: incidentSeveritySchema,
  startedAt: time,
  acknowledgement: z.object({ at: time, by: z.string(), endsAt: time.nullable() }).nullable(),
  verifyingSince: time.nullable(),
  needsHuman: z.object({ since: time, chainId: z.string().nullable() }).nullable(),
  unproven: unprovenChecksSchema.nullable(),
  fixChainId: z.string().nullable(),
  lookDueAt: time.nullable(),
  humanDueAt: time.nullable(),
  services: z.array(
    z.object({
      ...{ serviceId: z.string(), name: z.string(), error: z.string() },
      ...{ status: serviceStatusSchema, worst: z.enum(FAILING_STATUSES) },
      ...{ failingSince: time, recoveredAt: time.nullable(), removedAt: time.nullable() },
      ...{ wasFailing: z.boolean(), relapses: z.number().int() },
    }),
  ),
  alerts: incidentSignalsSchema.nullable(),
});
export type Joining = z.infer<typeof joiningSchema>;

/** Returns what an incident brings into the one that it is merged into. */
export function joiningOf(incident: Incident): Joining {
  return joiningSchema.parse(incident);
}

/** Another incident. */
const referenceSchema = z.object({ incidentId: z.string(), number: z.number() });

/** It is part of another incident from then on. Nothing is proven by that. */
export const merged = eventKind({
  schema: z.object({ by: z.string(), note: z.string(), into: referenceSchema }),
  apply(incident, { by, into }, at) {
    const { services, alerts } = incident;
    return {
      incident: {
        ...incident,
        ...{ state: 'resolved', resolution: 'merged', resolvedBy: by, resolvedAt: at },
        ...{ mergedIntoId: into.incidentId, fixChainId: null, needsHuman: null },
        unproven: null,
        ...{ lookDueAt: null, humanDueAt: null, silence: null },
        services: services.map((each) => ({ ...each, removedAt: each.removedAt ?? at })),
        alerts: alerts && { ...alerts, firing: { serviceIds: [], hasOther: false } },
      },
      notices: ['merged'],
    };
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
  joining: joiningSchema,
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
  const { joining: other } = event;
  const acknowledgement = lasting(incident.acknowledgement, other.acknowledgement);
  const both: Incident = {
    ...incident,
    severity: incident.severity === 'critical' ? 'critical' : other.severity,
    startedAt: earliest(incident.startedAt, other.startedAt),
    acknowledgement,
    services: servicesOf(incident.services, other.services),
    alerts: signalsOf(incident.alerts, other.alerts),
  };
  const taken: IncidentNotice[] =
    acknowledgement && !incident.acknowledgement ? ['acknowledged'] : [];
  if (!isActive(incident) && !isActive(other)) {
    const verifyingSince = latest(incident.verifyingSince, other.verifyingSince);
    const fixChainId = incident.fixChainId ?? other.fixChainId;
    return { incident: { ...both, verifyingSince, fixChainId }, notices: taken };
  }
  const unproven = unprovenOf([incident, other].filter(isActive));
  const active: Incident = {
    ...both,
    ...{ state: standing(both), verifyingSince: null, unproven },
  };
  const next = { ...active, ...nextOf(incident, other, active, event.isChainAtWork) };
  const applied = unproven ? quiet(next) : verifyIfWell(next, at);
  const isNews = !event.isNeedKnown && incident.needsHuman === null;
  const isNeeded = applied.incident.state === 'open' && applied.incident.needsHuman !== null;
  const needed: IncidentNotice[] = isNews && isNeeded ? ['needs_human'] : [];
  return { ...applied, notices: [...taken, ...needed, ...applied.notices] };
}

/** Only proofs are missing, unless either fails. */
function unprovenOf(active: readonly Pick<Incident, 'unproven'>[]): Incident['unproven'] {
  const isFailing = active.some(({ unproven }) => unproven === null);
  return isFailing ? null : active.flatMap(({ unproven }) => unproven ?? []);
}

/** Who is to do what next in an incident that fails. */
function nextOf(
  incident: Incident,
  other: Joining,
  { acknowledgement }: Incident,
  isChainAtWork: boolean,
): Pick<Incident, 'needsHuman' | 'fixChainId' | 'lookDueAt' | 'humanDueAt'> {
  const sides = [incident, other].filter(isActive);
  const [needsHuman = null] = [incident.needsHuman, other.needsHuman]
    .filter((need) => need !== null)
    .toSorted((one, two) => one.since.getTime() - two.since.getTime());
  const lookDueAt = acknowledgement ? null : earliest(incident.lookDueAt, other.lookDueAt);
  // A chain that starts or works decides first.
  const waits = needsHuman !== null || lookDueAt !== null || isChainAtWork;
  return {
    ...{ needsHuman, lookDueAt },
    fixChainId: sides.find(({ fixChainId }) => fixChainId !== null)?.fixChainId ?? null,
    humanDueAt: waits ? null : latest(incident.humanDueAt, other.humanDueAt),
  };
}

type Acknowledgement = Incident['acknowledgement'];

function lasting(one: Acknowledgement, other: Acknowledgement): Acknowledgement {
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
