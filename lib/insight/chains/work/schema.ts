/** What was done in a chain: processes, calls, figures, notices, deliveries. For its page. */

import { z } from 'zod';
import { deliveryStatusSchema } from '@/lib/deliveries/outbox/schema';
import type { FeedEvent } from '@/lib/insight/feed/schema';
import { recoveredFromSchema } from '@/lib/insight/sessions/schema';

const time = z.string();

export const workAttemptSchema = z.object({
  id: z.string(),
  sessionId: z.string(),
  number: z.number().int(),
  purpose: z.enum(['tier', 'reconcile']),
  status: z.string(),
  /** How it ended: completed, resume_rejected, … */
  end: z.string().nullable(),
  endText: z.string(),
  runner: z.string().nullable(),
  startedAt: time.nullable(),
  endedAt: time.nullable(),
  costMicros: z.number().int(),
  isEstimate: z.boolean(),
  /** False: no process of it has reported what it used. */
  hasCost: z.boolean(),
  /** Whose checkpoint its start got to read; null: none. */
  recovery: recoveredFromSchema.nullable(),
});
export type WorkAttempt = z.infer<typeof workAttemptSchema>;

export const workCallSchema = z.object({
  sessionId: z.string(),
  /** Of the call in its session's log. */
  seq: z.number().int(),
  tool: z.string(),
  /** A very long one is cut to its command or path. */
  input: z.record(z.string(), z.unknown()),
  isDenied: z.boolean(),
  isError: z.boolean(),
  exitCode: z.number().int().nullable(),
  at: time,
  durationMs: z.number().int().nullable(),
  /** From the action ledger: counted against the cooldowns of these services. */
  counted: z.array(z.object({ service: z.string(), action: z.string() })),
});
export type WorkCall = z.infer<typeof workCallSchema>;

export const workLedgerSchema = z.object({
  sessionId: z.string(),
  attemptNumber: z.number().int(),
  tier: z.number().int(),
  model: z.string(),
  costMicros: z.number().int(),
  isEstimate: z.boolean(),
});

export const workDeliverySchema = z.object({
  id: z.string(),
  /** Of a webhook endpoint; null for a notification channel. */
  endpointId: z.string().nullable(),
  url: z.string().nullable(),
  /** Name of the notification channel. */
  channel: z.string().nullable(),
  eventType: z.string(),
  status: deliveryStatusSchema,
  attempts: z.number().int(),
  nextAttemptAt: time.nullable(),
  createdAt: time,
});
export type WorkDelivery = z.infer<typeof workDeliverySchema>;

export interface ChainWork {
  attempts: WorkAttempt[];
  /** Calls of tiers 2 and 3 that may have changed something, in the order they were made. */
  actions: WorkCall[];
  denied: WorkCall[];
  ledger: z.infer<typeof workLedgerSchema>[];
  /** Oldest first. */
  events: FeedEvent[];
  deliveries: WorkDelivery[];
}
