/** Chains as they are shown. Ids are typed, times are ISO 8601 in UTC, money is US dollars. */

import { z } from 'zod';
import { deliveryStatusSchema } from '@/lib/deliveries/outbox/schema';
import {
  chainOutcomeSchema,
  chainStatusSchema,
  chainTriggerSchema,
  waitReasonSchema,
} from '@/lib/engine/statuses';
import type { TwoWayEnds, TwoWayQuery } from '@/lib/platform/http/cursor';
import { projectRefSchema } from '@/lib/projects/view';
import { checkStatusSchema, harnessNameSchema } from '@/lib/protocol/spec';
import type { FeedEvent } from '../feed';
import {
  decisionSchema,
  type HopFilter,
  handoffDtoSchema,
  recoveredFromSchema,
  sessionItemSchema,
} from '../sessions/schema';

const time = z.string();

export const chainItemSchema = z.object({
  id: z.string(),
  number: z.number().int(),
  project: projectRefSchema,
  trigger: chainTriggerSchema.meta({
    description: 'What started it: the schedule, a person, or the API.',
  }),
  requestedBy: z.string().nullable(),
  /** The scheduled time it was started for. */
  slotAt: time.nullable(),
  status: chainStatusSchema,
  outcome: chainOutcomeSchema.nullable(),
  outcomeReason: z.string().nullable(),
  /** One sentence: how it ended, or why it waits. */
  statusText: z.string(),
  waitReason: waitReasonSchema.nullable(),
  summary: z.string(),
  servicesAffected: z.array(z.string()),
  startTier: z.number().int(),
  highestTier: z.number().int(),
  dryRun: z.boolean().meta({ description: 'Observe only: nothing escalates.' }),
  forceFresh: z.boolean().meta({
    description:
      'Don’t resume conversations or recover checkpoints: tier 1 starts fresh, later tiers start from the handoff.',
  }),
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
      note: z.string().meta({ description: 'What the person knows or will do.' }),
      endsAt: time.nullable().meta({
        description:
          'Time until which its services don’t escalate; null: until they have recovered.',
      }),
    })
    .nullable(),
  totalCostUsd: z
    .number()
    .meta({ description: 'US dollars over all sessions, including failed attempts.' }),
  isCostEstimated: z.boolean(),
  /** In the order they ran; each names its parent and its child. */
  sessions: z.array(sessionItemSchema),
});
export type ChainItem = z.infer<typeof chainItemSchema>;

const escalationSchema = z.object({
  fromSessionId: z.string(),
  toSessionId: z.string(),
  premiumUsd: z.number().nullable().meta({
    description:
      'Estimated US dollars that reading the conversation again cost more than a start from the handoff would have; negative where it cost less, null where unknown.',
  }),
  premiumBasis: z.string().meta({
    description: 'How the premium is computed, or why it is unknown.',
  }),
  savingUsd: z.number().nullable().meta({
    description:
      'Estimated US dollars that the tool calls of the session before would have cost again, as far as they were not repeated; null where unknown.',
  }),
  savingBasis: z.string().meta({
    description: 'How the saving is computed, or why it is unknown.',
  }),
  netSavingUsd: z.number().nullable().meta({
    description: 'Saving less premium, estimated; null where either is unknown.',
  }),
  toolCalls: z.number().int().nullable().meta({
    description:
      'Tool calls that the session made, without the report and those that the agent’s CLI denied; null where its log is gone. A call of a confined agent counts even if the command broker denied its command, because the call itself ran in the sandbox.',
  }),
  repeatedToolCalls: z.number().int().nullable().meta({
    description:
      'Of these, calls of the same tool with the same input as in the session before; null where a log is gone.',
  }),
  repeated: z
    .array(
      z.object({
        tool: z.string(),
        text: z.string().meta({ description: 'The command, path or input; a long one is cut.' }),
        seq: z.number().int().meta({ description: 'Of the call in the log of its session.' }),
        parentSeq: z
          .number()
          .int()
          .meta({ description: 'Of the first such call in the log of the session before.' }),
        isAfterChange: z.boolean().meta({
          description: 'Made after the session had changed something, so it may verify the change.',
        }),
      }),
    )
    .meta({ description: 'The repeated calls, the first 50 of them.' }),
});
export type EscalationDto = z.infer<typeof escalationSchema>;

export const chainDetailSchema = chainItemSchema.extend({
  prompt: z.string().nullable().meta({
    description:
      'Instructions of the person who started it, added before the tier’s prompt; null if there are none.',
  }),
  costByTier: z.array(z.object({ tier: z.number().int(), costUsd: z.number() })),
  decisions: z.array(decisionSchema),
  handoffs: z.array(handoffDtoSchema),
  escalations: z.array(escalationSchema).meta({
    description: 'What resuming saved and cost at each escalation, and which calls were repeated.',
  }),
  services: z
    .array(
      z.object({
        name: z.string().meta({ description: 'Name of the service, as in the project.' }),
        status: checkStatusSchema,
        statusBefore: checkStatusSchema,
        error: z.string(),
        responseTimeMs: z
          .number()
          .int()
          .nullable()
          .meta({ description: 'Response time of the check in milliseconds.' }),
        at: time,
      }),
    )
    .meta({
      description:
        'Results of the runner’s own checks of each service: the last one, and the one before any remediation.',
    }),
});
export type ChainDetail = z.infer<typeof chainDetailSchema>;

/** An outcome, or `moving` for every chain that has not ended. */
export const chainStateFilterSchema = z.enum(['moving', ...chainOutcomeSchema.options]);
export type ChainStateFilter = z.infer<typeof chainStateFilterSchema>;

export interface ChainQuery extends TwoWayQuery {
  /** `prj_…` or slug; every project of the organization without it. */
  project?: string | undefined;
  state?: ChainStateFilter | undefined;
  /** The highest tier that it reached. */
  tier?: number | undefined;
  service?: string | undefined;
  trigger?: string | undefined;
  /** Created at or after. */
  since?: Date | undefined;
  /** Created before. */
  until?: Date | undefined;
  /** With a session that followed another one in this way. */
  hop?: HopFilter | undefined;
  /** Why a hop was decided so: `CONTEXT_PRESSURE`. */
  reason?: string | undefined;
  /** Ended, and escalated to this tier from a lower one. */
  escalated?: 2 | 3 | undefined;
}

export interface ChainPage extends TwoWayEnds {
  data: ChainItem[];
  /** Services of the shown projects, for the filter, in their order. */
  services: string[];
}

const workAttemptSchema = z.object({
  id: z.string(),
  sessionId: z.string(),
  number: z.number().int(),
  purpose: z.enum(['tier', 'reconcile']),
  status: z.string(),
  /** How it ended: completed, resume_rejected, … */
  end: z.string().nullable(),
  endText: z.string(),
  runner: z.string().nullable(),
  /** It was started, and not in a sandbox. */
  isUnconfined: z.boolean(),
  /** Null before it was claimed. */
  harness: harnessNameSchema.nullable(),
  mechanism: z.string().nullable(),
  /** Available to the agent. */
  tools: z.array(z.string()),
  startedAt: time.nullable(),
  endedAt: time.nullable(),
  costMicros: z.number().int(),
  isEstimate: z.boolean(),
  /** False: none of its processes has reported usage. */
  hasCost: z.boolean(),
  /** The session whose checkpoint was included in its start; null: none. */
  recovery: recoveredFromSchema.nullable(),
});
export type WorkAttempt = z.infer<typeof workAttemptSchema>;

const workCallSchema = z.object({
  sessionId: z.string(),
  /** Of the call in its session's log. */
  seq: z.number().int(),
  tool: z.string(),
  /** A very long one is cut to its command or path. */
  input: z.record(z.string(), z.unknown()),
  isDenied: z.boolean(),
  isError: z.boolean(),
  exitCode: z.number().int().nullable(),
  /** It, or what it has started, could not be ended with the attempt. */
  isLeftRunning: z.boolean(),
  at: time,
  durationMs: z.number().int().nullable(),
  /** From the action ledger: counted against the cooldowns of these services. */
  counted: z.array(z.object({ service: z.string(), action: z.string() })),
});
export type WorkCall = z.infer<typeof workCallSchema>;

const workLedgerSchema = z.object({
  sessionId: z.string(),
  attemptId: z.string(),
  tier: z.number().int(),
  model: z.string(),
  costMicros: z.number().int(),
  isEstimate: z.boolean(),
});

const workDeliverySchema = z.object({
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
