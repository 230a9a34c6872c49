/** Every closed set of incidents, once. The database has the same sets as CHECKs. */
import { z } from 'zod';

export const INCIDENT_STATES = ['open', 'acknowledged', 'verifying', 'resolved'] as const;
export const incidentStateSchema = z.enum(INCIDENT_STATES);
export type IncidentState = z.infer<typeof incidentStateSchema>;

/** What opened an incident: a check that runs without an agent, another system, or a chain's report. */
export const INCIDENT_SOURCES = ['check', 'alert', 'finding'] as const;
export const incidentSourceSchema = z.enum(INCIDENT_SOURCES);
export type IncidentSource = z.infer<typeof incidentSourceSchema>;

/** `critical`: something was down. `warning`: nothing was worse than degraded. */
export const INCIDENT_SEVERITIES = ['critical', 'warning'] as const;
export const incidentSeveritySchema = z.enum(INCIDENT_SEVERITIES);
export type IncidentSeverity = z.infer<typeof incidentSeveritySchema>;

/**
 * How an incident ended. `fixed`: after a chain that reported a fix. `recovered`: without one. `removed`:
 * nothing checks its services anymore. `manual`: a person said so. `merged`: it is part of another one.
 * `reported`: its alerts ended, and no check confirms it.
 */
export const INCIDENT_RESOLUTIONS = [
  'recovered',
  'fixed',
  'removed',
  'manual',
  'merged',
  'reported',
] as const;
export const incidentResolutionSchema = z.enum(INCIDENT_RESOLUTIONS);
export type IncidentResolution = z.infer<typeof incidentResolutionSchema>;

/** What a failing service can be. */
export const FAILING_STATUSES = ['degraded', 'down'] as const;
export type FailingStatus = (typeof FAILING_STATUSES)[number];

/** Where an incident leads that was verified and isn't well. */
const FAILING_STATES = ['open', 'acknowledged'] as const;

/** Where an incident leads that ends, from each state in which it isn't over. */
const ENDS = { open: ['resolved'], acknowledged: ['resolved'], verifying: ['resolved'] } as const;

/** Where an incident leads that may be well. */
const RECOVERS = { open: ['verifying'], acknowledged: ['verifying'] } as const;

/** Where a failure leads. It reopens an incident whose verification nothing proved, too. */
const FAILS = { acknowledged: ['open'], verifying: FAILING_STATES, resolved: ['open'] } as const;

type Transitions = Readonly<Partial<Record<IncidentState, readonly IncidentState[]>>>;

/** What can happen in an incident, and from which state it may lead to which other. */
const EVENTS = {
  service_failing: FAILS,
  service_recovered: RECOVERS,
  service_unknown: { verifying: FAILING_STATES },
  service_removed: {
    open: ['verifying', 'resolved'],
    acknowledged: ['verifying', 'resolved'],
    verifying: [...FAILING_STATES, 'resolved'],
  },
  alert_firing: FAILS,
  alert_ended: RECOVERS,
  alerts_quiet: ENDS,
  chain_started: {},
  chain_ended: {},
  look_refused: {},
  needs_human: { verifying: FAILING_STATES },
  acknowledged: { open: ['acknowledged'] },
  acknowledgement_ended: { acknowledged: ['open'] },
  verified: { verifying: ['resolved'] },
  resolved: ENDS,
  merged: ENDS,
  joined: {
    open: ['acknowledged', 'verifying'],
    acknowledged: ['verifying'],
    verifying: FAILING_STATES,
  },
  silenced: {},
  silence_ended: {},
} as const satisfies Record<string, Transitions>;
export type IncidentEventKind = keyof typeof EVENTS;
export const INCIDENT_EVENT_KINDS = Object.keys(EVENTS) as IncidentEventKind[];
export const EVENT_TRANSITIONS: Readonly<Record<IncidentEventKind, Transitions>> = EVENTS;

/** Which state may follow which. The database refuses others. */
export const INCIDENT_TRANSITIONS = Object.fromEntries(
  INCIDENT_STATES.map((from) => [
    from,
    INCIDENT_STATES.filter((to) =>
      Object.values(EVENT_TRANSITIONS).some((transitions) => transitions[from]?.includes(to)),
    ),
  ]),
);

/** What others learn of. */
export const INCIDENT_NOTICES = [
  'opened',
  'needs_human',
  'acknowledged',
  'verifying',
  /** The end of a verification that nothing proved: something fails, or can't be checked. */
  'verification_failed',
  'resolved',
  'merged',
  'reopened',
] as const;
export type IncidentNotice = (typeof INCIDENT_NOTICES)[number];
