/** What on-call targets receive: the state of one outage, or of one request for a person. */

import { z } from 'zod';

/** Begins every dedup key of this product, so that an alert it opened elsewhere is recognized. */
export const DEDUP_PREFIX = 'tierwatch/';

export const ALERT_STATUSES = ['firing', 'acknowledged', 'resolved'] as const;
export const ALERT_SEVERITIES = ['critical', 'error', 'warning', 'info'] as const;

export const alertSubjectSchema = z.object({
  /** At most 255 characters, and the same from open to resolve. */
  dedupKey: z.string().min(1).max(255),
  /** Rises with every change of the subject. */
  sequence: z.number().int().nonnegative(),
  status: z.enum(ALERT_STATUSES),
  severity: z.enum(ALERT_SEVERITIES),
  title: z.string(),
  /** Text of people, systems and agents: untrusted. */
  description: z.string(),
  project: z.object({ name: z.string(), slug: z.string() }).nullable(),
  /** Names of the affected services. */
  services: z.array(z.string()),
  startedAt: z.iso.datetime(),
  resolvedAt: z.iso.datetime().nullable(),
  /** The page that shows it. */
  url: z.string(),
  needsHuman: z.boolean(),
});
export type AlertSubject = z.infer<typeof alertSubjectSchema>;

/**
 * Returns whether a state makes earlier ones of its subject that weren't sent yet obsolete, where
 * the target only keeps the newest state. An acknowledgment doesn't: on-call services ignore it for
 * an alert that they have never received.
 */
export function isSuperseding({ status }: Pick<AlertSubject, 'status'>): boolean {
  return status !== 'acknowledged';
}
