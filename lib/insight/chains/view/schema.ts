/** Chains as they are shown. Ids are typed, times are ISO 8601 in UTC, money is US dollars. */

import { z } from 'zod';
import { decisionSchema, handoffDtoSchema, sessionItemSchema } from '@/lib/insight/sessions/schema';
import { projectRefSchema } from '@/lib/projects/view/schema';

export const CHAIN_STATUSES = ['queued', 'waiting', 'running', 'stopping', 'ended'] as const;
export const chainStatusSchema = z.enum(CHAIN_STATUSES);

export const chainOutcomeSchema = z.enum([
  'healthy',
  'findings',
  'fixed',
  'suppressed',
  'needs_human',
  'failed',
  'lost',
  'stopped',
  'skipped',
]);

const time = z.string();

export const chainItemSchema = z.object({
  id: z.string(),
  number: z.number().int(),
  project: projectRefSchema,
  trigger: z.enum(['schedule', 'manual', 'api']),
  requestedBy: z.string().nullable(),
  /** The due instant it stands for. */
  slotAt: time.nullable(),
  status: chainStatusSchema,
  outcome: chainOutcomeSchema.nullable(),
  outcomeReason: z.string().nullable(),
  /** One sentence: how it ended, or why it waits. */
  statusText: z.string(),
  summary: z.string(),
  servicesAffected: z.array(z.string()),
  startTier: z.number().int(),
  highestTier: z.number().int(),
  dryRun: z.boolean(),
  forceFresh: z.boolean(),
  /** Of the configuration that it froze. */
  version: z.number().int(),
  createdAt: time,
  startedAt: time.nullable(),
  endedAt: time.nullable(),
  durationMs: z.number().int().nullable(),
  stopRequest: z.object({ at: time, by: z.string() }).nullable(),
  acknowledgement: z
    .object({
      at: time,
      by: z.string(),
      note: z.string(),
      /** Null: until its services have recovered. */
      endsAt: time.nullable(),
    })
    .nullable(),
  totalCostUsd: z.number(),
  isCostEstimated: z.boolean(),
  /** In the order they ran; each names its parent and its child. */
  sessions: z.array(sessionItemSchema),
});
export type ChainItem = z.infer<typeof chainItemSchema>;

export const chainDetailSchema = chainItemSchema.extend({
  /** What the operator added to the first tier's prompt. */
  prompt: z.string().nullable(),
  costByTier: z.array(z.object({ tier: z.number().int(), costUsd: z.number() })),
  decisions: z.array(decisionSchema),
  handoffs: z.array(handoffDtoSchema),
  /** The last word of the runner's own checks, and the first one before anything was done. */
  services: z.array(
    z.object({
      name: z.string(),
      status: z.enum(['healthy', 'degraded', 'down']),
      statusBefore: z.enum(['healthy', 'degraded', 'down']),
      error: z.string(),
      responseTimeMs: z.number().int().nullable(),
      at: time,
    }),
  ),
});
export type ChainDetail = z.infer<typeof chainDetailSchema>;
