/** Bodies of requests that only the API has: everything else is a schema of its domain. */

import { z } from 'zod';
import { approvalDecisionSchema } from '@/lib/engine/statuses';
import { tierSchema } from '@/lib/protocol/spec';

const timeSchema = z.iso
  .datetime({ offset: true, error: 'Enter a time such as 2026-01-31T18:00:00Z.' })
  .transform((text) => new Date(text));

const reasonSchema = z
  .string()
  .trim()
  .max(500, 'A reason has at most 500 characters.')
  .default('')
  .meta({ description: 'Shown next to who did it and when.' });

export const pauseBodySchema = z.strictObject({
  reason: reasonSchema,
  endsAt: timeSchema
    .nullable()
    .optional()
    .meta({ description: 'When it ends automatically; null or omitted: when someone ends it.' }),
});

export const snoozeBodySchema = z.strictObject({
  until: timeSchema.meta({ description: 'When it ends automatically, ISO 8601.' }),
  reason: reasonSchema,
});

export const acknowledgeBodySchema = z.strictObject({
  note: z
    .string()
    .trim()
    .max(2_000, 'A note has at most 2,000 characters.')
    .default('')
    .meta({ description: 'What you know or will do; shown next to the acknowledgement.' }),
  endsAt: timeSchema.nullable().optional().meta({
    description: 'Time until which its services don’t escalate; null: until they have recovered.',
  }),
});

const incidentNote = z
  .string()
  .trim()
  .max(2_000, 'A note has at most 2,000 characters.')
  .default('')
  .meta({ description: 'What you know or will do; shown in the timeline.' });

export const noteBodySchema = z.strictObject({ note: incidentNote });

export const acknowledgeIncidentBodySchema = z.strictObject({
  note: incidentNote,
  endsAt: timeSchema.nullable().optional().meta({
    description: 'When it ends and the incident is open again; null: when it is resolved.',
  }),
});

export const mergeIncidentBodySchema = z.strictObject({
  into: z.string().meta({ description: 'The incident that continues, `inc_…`.' }),
  note: incidentNote.meta({ description: 'Why; shown in both timelines.' }),
});

export const silenceIncidentBodySchema = z.strictObject({
  note: incidentNote,
  endsAt: timeSchema.nullable().optional().meta({
    description: 'When people are notified again; null: when it is resolved.',
  }),
});

export const decisionBodySchema = z.strictObject({
  verdict: approvalDecisionSchema.meta({
    description:
      '`approve` or `refuse`; `allow_again` takes a refusal back, which otherwise holds for the whole incident.',
  }),
  digest: z
    .string()
    .regex(/^[0-9a-f]{64}$/, 'Send the digest of the approval that you have read.')
    .meta({ description: 'The `digest` of the approval as you have read it.' }),
  note: z
    .string()
    .trim()
    .max(1_000, 'A note has at most 1,000 characters.')
    .default('')
    .meta({ description: 'Shown to the agent and beside the decision.' }),
});

export const runBodySchema = z.strictObject({
  tier: tierSchema.optional().meta({
    description: 'Tier to begin with; above 1 needs the admin role and stays within the maximum.',
  }),
  prompt: z
    .string()
    .trim()
    .max(4_000, 'A prompt has at most 4,000 characters.')
    .optional()
    .meta({ description: 'Instructions added before the tier’s prompt.' }),
  forceFresh: z.boolean().optional().meta({
    description:
      'Don’t resume conversations or recover checkpoints: tier 1 starts fresh, later tiers start from the handoff.',
  }),
  dryRun: z.boolean().optional().meta({ description: 'Observe only: nothing escalates.' }),
});

/** The empty body of a POST. */
export const emptyBodySchema = z.strictObject({});

/** `projectId` is an id (`prj_…`) or a slug. */
export const projectParams = z.object({ projectId: z.string() });
export const heartbeatParams = projectParams.extend({ heartbeatId: z.string() });
export const serviceParams = projectParams.extend({ serviceName: z.string() });
export const tierParams = projectParams.extend({
  tier: z.coerce.number().pipe(tierSchema),
});
export const chainParams = z.object({ chainId: z.string() });
export const incidentParams = z.object({ incidentId: z.string() });
export const approvalParams = z.object({ approvalId: z.string() });
export const sessionParams = z.object({ sessionId: z.string() });
export const conversationParams = z.object({ conversationId: z.string() });
export const turnParams = conversationParams.extend({ turnId: z.string() });
export const runnerParams = z.object({ runnerId: z.string() });
export const endpointParams = z.object({ endpointId: z.string() });
export const deliveryParams = z.object({ deliveryId: z.string() });
export const alertSourceParams = z.object({ sourceId: z.string() });
export const channelParams = z.object({ channelId: z.string() });
export const policyParams = z.object({ policyId: z.string() });
export const tokenParams = z.object({ tokenId: z.string() });
export const memberParams = z.object({ memberId: z.string() });
export const invitationParams = z.object({ invitationId: z.string() });
