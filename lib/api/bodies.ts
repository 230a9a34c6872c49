/** Bodies of requests that only the API has: everything else is a schema of its domain. */

import { z } from 'zod';
import { tierSchema } from '@/lib/protocol/spec';

const timeSchema = z.iso
  .datetime({ offset: true, error: 'Enter a time such as 2026-01-31T18:00:00Z.' })
  .transform((text) => new Date(text));

export const pauseBodySchema = z.strictObject({
  /** Shown beside who did it and when. */
  reason: z.string().trim().max(500, 'A reason has at most 500 characters.').default(''),
  /** When it ends by itself; without it, when someone resumes. */
  endsAt: timeSchema.nullable().optional(),
});

export const snoozeBodySchema = z.strictObject({
  until: timeSchema,
  reason: z.string().trim().max(500, 'A reason has at most 500 characters.').default(''),
});

export const acknowledgeBodySchema = z.strictObject({
  note: z.string().trim().max(2_000, 'A note has at most 2,000 characters.').default(''),
  /** Until when its services escalate nothing; without it, until they have recovered. */
  endsAt: timeSchema.nullable().optional(),
});

export const runBodySchema = z.strictObject({
  /** Above 1 needs the admin role and stays within the project's maximum. */
  tier: tierSchema.optional(),
  /** The operator's own words, put before the tier's prompt. */
  prompt: z.string().trim().max(4_000, 'A prompt has at most 4,000 characters.').optional(),
  /** Resume no conversation: every hop hands off. */
  forceFresh: z.boolean().optional(),
  dryRun: z.boolean().optional().meta({ description: 'Observe only: nothing escalates.' }),
});

/** A POST without anything to say. */
export const emptyBodySchema = z.strictObject({});

/** `projectId` is an id (`prj_…`) or a slug. */
export const projectParams = z.object({ projectId: z.string() });
export const serviceParams = projectParams.extend({ serviceName: z.string() });
export const tierParams = projectParams.extend({
  tier: z.coerce.number().pipe(tierSchema),
});
export const chainParams = z.object({ chainId: z.string() });
export const sessionParams = z.object({ sessionId: z.string() });
export const conversationParams = z.object({ conversationId: z.string() });
export const turnParams = conversationParams.extend({ turnId: z.string() });
export const runnerParams = z.object({ runnerId: z.string() });
export const endpointParams = z.object({ endpointId: z.string() });
export const deliveryParams = z.object({ deliveryId: z.string() });
export const channelParams = z.object({ channelId: z.string() });
export const tokenParams = z.object({ tokenId: z.string() });
export const memberParams = z.object({ memberId: z.string() });
export const invitationParams = z.object({ invitationId: z.string() });
