/** Alerts: their closed sets, and how they are shown. */

import { z } from 'zod';

/** `stale`: nobody knows how it ended, since the source stopped reporting about it. */
export const ALERT_STATUSES = ['firing', 'resolved', 'stale'] as const;
export const alertStatusSchema = z.enum(ALERT_STATUSES);
export type AlertStatus = z.infer<typeof alertStatusSchema>;

/** `signal_lost`: the rule has no data or failed, so the state of the system is unknown. */
export const ALERT_KINDS = ['problem', 'signal_lost'] as const;
export const alertKindSchema = z.enum(ALERT_KINDS);
export type AlertKind = z.infer<typeof alertKindSchema>;

/** Most severe first. */
export const ALERT_SEVERITIES = ['critical', 'error', 'warning', 'info'] as const;
export const alertSeveritySchema = z.enum(ALERT_SEVERITIES);
export type AlertSeverity = z.infer<typeof alertSeveritySchema>;

export const alertDtoSchema = z.object({
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
  status: alertStatusSchema,
  kind: alertKindSchema,
  severity: alertSeveritySchema,
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
export type AlertDto = z.infer<typeof alertDtoSchema>;
