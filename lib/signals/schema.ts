/** Alerts: their closed sets, and how they are shown. */

import { z } from 'zod';

/** `stale`: nobody knows how it ended, since the source stopped reporting about it. */
export const SIGNAL_STATUSES = ['firing', 'resolved', 'stale'] as const;
export const signalStatusSchema = z.enum(SIGNAL_STATUSES);
export type SignalStatus = z.infer<typeof signalStatusSchema>;

/** `signal_lost`: the rule has no data or failed, so the state of the system is unknown. */
export const SIGNAL_KINDS = ['problem', 'signal_lost'] as const;
export const signalKindSchema = z.enum(SIGNAL_KINDS);
export type SignalKind = z.infer<typeof signalKindSchema>;

/** Most severe first. */
export const SIGNAL_SEVERITIES = ['critical', 'error', 'warning', 'info'] as const;
export const signalSeveritySchema = z.enum(SIGNAL_SEVERITIES);
export type SignalSeverity = z.infer<typeof signalSeveritySchema>;

export const signalDtoSchema = z.object({
  /** `alt_…` */
  id: z.string(),
  /** `prj_…` */
  projectId: z.string(),
  /** `als_…` */
  sourceId: z.string(),
  fingerprint: z.string(),
  startsAt: z.string().meta({
    description: 'The start as the source writes it; with source and fingerprint, the occurrence.',
  }),
  startedAt: z.string(),
  status: signalStatusSchema,
  kind: signalKindSchema,
  severity: signalSeveritySchema,
  title: z.string(),
  serviceText: z.string().nullable().meta({ description: 'What the source calls the service.' }),
  service: z.string().nullable().meta({ description: 'The project’s service that it is about.' }),
  rule: z.string().nullable(),
  link: z.string().nullable(),
  labels: z.record(z.string(), z.string()),
  annotations: z.record(z.string(), z.string()),
  firstSeenAt: z.string(),
  lastSeenAt: z.string(),
  repeats: z.number().int().meta({ description: 'Messages about it after the first one.' }),
  endedAt: z.string().nullable(),
});
export type SignalDto = z.infer<typeof signalDtoSchema>;
