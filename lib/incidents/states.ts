/** Every closed set of incidents, once. The database has the same sets as CHECKs. */
import { z } from 'zod';

export const INCIDENT_STATES = ['open', 'acknowledged', 'verifying', 'resolved'] as const;
export const incidentStateSchema = z.enum(INCIDENT_STATES);
export type IncidentState = z.infer<typeof incidentStateSchema>;

/** Which state may follow which: one that was resolved can be reopened. The database refuses others. */
export const INCIDENT_TRANSITIONS: Readonly<Record<IncidentState, readonly IncidentState[]>> = {
  open: ['acknowledged', 'verifying', 'resolved'],
  acknowledged: ['open', 'verifying', 'resolved'],
  verifying: ['open', 'acknowledged', 'resolved'],
  resolved: ['open', 'acknowledged'],
};

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

/** What can happen in an incident. */
export const INCIDENT_EVENT_KINDS = [
  'service_failing',
  'service_recovered',
  'service_unknown',
  'service_removed',
  'alert_firing',
  'alert_ended',
  'alerts_quiet',
  'chain_started',
  'chain_ended',
  'look_refused',
  'needs_human',
  'acknowledged',
  'acknowledgement_ended',
  'verified',
  'resolved',
  'merged',
  'joined',
  'silenced',
  'silence_ended',
] as const;
export const incidentEventKindSchema = z.enum(INCIDENT_EVENT_KINDS);
export type IncidentEventKind = z.infer<typeof incidentEventKindSchema>;
