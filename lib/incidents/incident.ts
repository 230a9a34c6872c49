/** An incident and what it can have in each state, as the rules see it. Pure. */
import { z } from 'zod';
import { serviceStatusSchema } from '@/lib/protocol/spec';
import { FAILING_STATUSES, incidentSeveritySchema, incidentSourceSchema } from './states';

/** Text in a stored event. */
const time = z.date().or(z.iso.datetime().pipe(z.coerce.date()));

const affectedServiceSchema = z.object({
  /** UUID. */
  serviceId: z.string(),
  name: z.string(),
  /** As last known. */
  status: serviceStatusSchema,
  worst: z.enum(FAILING_STATUSES),
  /** The first failure. */
  failingSince: time,
  /** Null unless it is healthy. */
  recoveredAt: time.nullable(),
  error: z.string(),
  /** Whether it failed when its status was last known. */
  wasFailing: z.boolean(),
  /** How often it failed again after a recovery, since the incident was opened or reopened. */
  relapses: z.number().int(),
  /** When it left the incident: it or its checks were removed, or another incident took it over. */
  removedAt: time.nullable(),
});
export type AffectedService = z.infer<typeof affectedServiceSchema>;

export const firingSignalsSchema = z.object({
  /** UUIDs of the project's services that firing alerts are about. */
  serviceIds: z.array(z.string()),
  /** Whether an alert fires that names no service of the project. */
  hasOther: z.boolean(),
});
export type FiringSignals = z.infer<typeof firingSignalsSchema>;

/** What alerts of other systems report in an incident. */
export const incidentSignalsSchema = z.object({
  /** Of the first alert: text of another system. */
  title: z.string(),
  /** Every service that its alerts were about. */
  services: z.array(z.object({ serviceId: z.string(), name: z.string() })),
  /** Names of the alert sources. */
  sources: z.array(z.string()),
  firing: firingSignalsSchema,
  /** How often one fired during the verification. */
  returns: z.number().int(),
});
export type IncidentSignals = z.infer<typeof incidentSignalsSchema>;

const unprovenCheckSchema = z.object({
  /** UUID. */
  serviceId: z.string(),
  service: z.string(),
  /** `http` */
  type: z.string(),
});
/** A check without which nothing proves that its service is well. */
export type UnprovenCheck = z.infer<typeof unprovenCheckSchema>;
export const unprovenChecksSchema = z.array(unprovenCheckSchema);

/** A person is working on it; `endsAt` null: without an end. */
const acknowledgementSchema = z.object({ at: time, by: z.string(), endsAt: time.nullable() });
export type Acknowledgement = z.infer<typeof acknowledgementSchema>;

/** People get no messages about it; `endsAt` null: until it is resolved. */
const silenceSchema = z.object({ by: z.string(), endsAt: time.nullable() });

/** People have to act. */
const needSchema = z.object({
  since: time,
  /** The chain that led to it, by UUID. */
  chainId: z.string().nullable(),
  /** Nothing is known to fail, but these checks have given no proof for so long; null otherwise. */
  unproven: unprovenChecksSchema.nullable(),
});
export type Need = z.infer<typeof needSchema>;

const ANY_STATE = {
  source: incidentSourceSchema,
  severity: incidentSeveritySchema,
  /** The first failure. */
  startedAt: time,
  openedAt: time,
  reopenings: z.number().int(),
  lastReopenedAt: time.nullable(),
  services: z.array(affectedServiceSchema),
  /** Null without any. */
  alerts: incidentSignalsSchema.nullable(),
};

/** The chain whose reported fix may be why it recovers, by UUID. */
const fixChainId = z.string().nullable();

/** While something fails, as far as is known. */
const failingSchema = z.object({
  ...ANY_STATE,
  silence: silenceSchema.nullable(),
  needsHuman: needSchema.nullable(),
  fixChainId,
  /** When people have to act unless it is over by then. */
  humanDueAt: time.nullable(),
});
export type FailingFacts = z.infer<typeof failingSchema>;

const openSchema = failingSchema.extend({
  state: z.literal('open'),
  /** When the agent should look. */
  lookDueAt: time.nullable(),
});

const acknowledgedSchema = failingSchema.extend({
  state: z.literal('acknowledged'),
  acknowledgement: acknowledgementSchema,
});

const verifyingSchema = z.object({
  ...ANY_STATE,
  state: z.literal('verifying'),
  verifyingSince: time,
  acknowledgement: acknowledgementSchema.nullable(),
  silence: silenceSchema.nullable(),
  fixChainId,
});

const resolvedSchema = z.object({
  ...ANY_STATE,
  state: z.literal('resolved'),
  resolvedAt: time,
  /** Null if something failed until then, as far as was known. */
  verifyingSince: time.nullable(),
  acknowledgement: acknowledgementSchema.nullable(),
});

export const incidentSchema = z.discriminatedUnion('state', [
  openSchema,
  acknowledgedSchema,
  verifyingSchema,
  z.discriminatedUnion('resolution', [
    resolvedSchema.extend({ resolution: z.enum(['recovered', 'removed', 'reported']) }),
    resolvedSchema.extend({ resolution: z.literal('fixed'), fixChainId: z.string() }),
    resolvedSchema.extend({ resolution: z.literal('manual'), resolvedBy: z.string() }),
    resolvedSchema.extend({
      resolution: z.literal('merged'),
      resolvedBy: z.string(),
      /** The incident that took it over, by UUID. */
      mergedIntoId: z.string(),
    }),
  ]),
]);
export type Incident = z.infer<typeof incidentSchema>;
export type IncidentIn<State extends Incident['state']> = Extract<Incident, { state: State }>;
/** It fails, as far as is known. */
export type ActiveIncident = IncidentIn<'open' | 'acknowledged'>;
type EndingOf<Each> = Each extends unknown
  ? Omit<Each, keyof z.infer<typeof resolvedSchema>>
  : never;
/** How an incident ended. `resolvedBy` is a person. */
export type Ending = EndingOf<IncidentIn<'resolved'>>;

/** What an incident brings into the one that it is merged into: facts of that one don't follow from these. */
const OWN = { source: true, openedAt: true, reopenings: true, lastReopenedAt: true } as const;
const joiningSchema = z.discriminatedUnion('state', [
  openSchema.omit({ ...OWN, silence: true }),
  acknowledgedSchema.omit({ ...OWN, silence: true }),
  verifyingSchema.omit({ ...OWN, silence: true }),
]);
export type JoiningIncident = z.infer<typeof joiningSchema>;

/** Older events have the checks without proof beside the need. */
export const joiningIncidentSchema = z.preprocess((stored) => {
  const older = z.looseObject({
    needsHuman: z.looseObject({}),
    unproven: z.unknown().optional(),
  });
  const { success, data } = older.safeParse(stored);
  if (!success) return stored;
  return { ...data, needsHuman: { unproven: data.unproven ?? null, ...data.needsHuman } };
}, joiningSchema);

/** Whether something fails, as far as is known. */
export function isActive<Each extends { state: Incident['state'] }>(
  incident: Each,
): incident is Extract<Each, { state: 'open' | 'acknowledged' }> {
  return incident.state === 'open' || incident.state === 'acknowledged';
}

/** Returns who works on it; null if nobody does. Once it is resolved, who did at its end. */
export function acknowledgementOf(incident: Incident | JoiningIncident): Acknowledgement | null {
  return incident.state === 'open' ? null : incident.acknowledgement;
}

/** Returns when the agent should look; null if it shouldn't. */
export function lookOf(incident: Incident | JoiningIncident): Date | null {
  return incident.state === 'open' ? incident.lookDueAt : null;
}

/** Returns since when people have to act, and why; null while they don't. */
export function needOf(incident: Incident): Need | null {
  return isActive(incident) ? incident.needsHuman : null;
}

/** Returns what every state is shown with and stored as: null for what it doesn't have. */
export function factsOf(incident: Incident) {
  const end = incident.state === 'resolved' ? incident : null;
  return {
    acknowledgement: acknowledgementOf(incident),
    silence: incident.state === 'resolved' ? null : incident.silence,
    needsHuman: needOf(incident),
    lookDueAt: lookOf(incident),
    humanDueAt: isActive(incident) ? incident.humanDueAt : null,
    verifyingSince: isActive(incident) ? null : incident.verifyingSince,
    fixChainId:
      incident.state !== 'resolved' || incident.resolution === 'fixed' ? incident.fixChainId : null,
    resolvedAt: end?.resolvedAt ?? null,
    resolution: end?.resolution ?? null,
    resolvedBy:
      end?.resolution === 'manual' || end?.resolution === 'merged' ? end.resolvedBy : null,
    mergedIntoId: end?.resolution === 'merged' ? end.mergedIntoId : null,
  };
}

/** Returns the services that are still part of an incident. */
export function presentServices({ services }: Pick<Incident, 'services'>): AffectedService[] {
  return services.filter(({ removedAt }) => removedAt === null);
}

export function serviceOf(
  { services }: Pick<Incident, 'services'>,
  id: string,
): AffectedService | undefined {
  return services.find(({ serviceId }) => serviceId === id);
}

export function earliest<Time extends Date | null>(one: Time, other: Time): Time {
  return one === null || (other !== null && other < one) ? other : one;
}

export function latest<Time extends Date | null>(one: Time, other: Time): Time {
  return one === null || (other !== null && other > one) ? other : one;
}
