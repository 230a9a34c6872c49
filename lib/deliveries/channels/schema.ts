/** Notification channels as they are saved and shown. */

import { z } from 'zod';
import type { TargetRules } from '@/lib/platform/outbound-http/target-policy';
import { deliveryStatusSchema } from '../outbox/schema';
import { quietHoursSchema } from './quiet-hours';
import {
  CHANNEL_KINDS,
  type ChannelSettings,
  channelSettingsSchema,
  isAlertsOnly,
} from './registry';

/**
 * Why a channel is off: muted by a person, after five days of failures, or because its target
 * responded that it's gone or refuses every message.
 */
export const CHANNEL_DISABLED_REASONS = ['failing_five_days', 'muted', 'rejected'] as const;
export type ChannelDisabledReason = (typeof CHANNEL_DISABLED_REASONS)[number];

/** How a chain ends, worst first: what a channel may subscribe to. */
export const CHANNEL_OUTCOMES = [
  'needs_human',
  'failed',
  'lost',
  'fixed',
  'findings',
  'suppressed',
  'stopped',
  'healthy',
] as const;
/** Other events that a channel can subscribe to. */
export const CHANNEL_EVENT_TYPES = [
  'incident.opened',
  'incident.needs_human',
  'incident.resolved',
  'incident.reopened',
  'incident.acknowledged',
  'incident.verifying',
  'budget.reached',
  'budget.warning',
  'runner.offline',
  'runner.key_shared',
  'checks.blocked',
  'checks.resumed',
  'approval.requested',
  'approval.decided',
  'approval.expired',
  'chain.escalated',
  'chain.started',
] as const;

const name = z
  .string()
  .trim()
  .min(1, 'Enter a name.')
  .max(60, 'A name has at most 60 characters.')
  .meta({ description: 'Display name.' });

/** Which events the channel receives. */
const routes = {
  outcomes: z
    .array(z.enum(CHANNEL_OUTCOMES))
    .transform((all) => [...new Set(all)])
    .meta({ description: 'Outcomes of chains it is subscribed to.' }),
  eventTypes: z
    .array(z.enum(CHANNEL_EVENT_TYPES))
    .transform((all) => [...new Set(all)])
    .meta({ description: 'Events it is subscribed to.' }),
};

const projectIdSchema = z
  .string()
  .nullable()
  .meta({ description: 'Only this project, by id or slug; null: all of them.' });

const quietHours = quietHoursSchema.nullable().meta({
  description: 'When warnings and notices wait until it is over; null: never.',
});

/** What a new channel is subscribed to, unless it says otherwise. */
function defaultOutcomes(settings: ChannelSettings): (typeof CHANNEL_OUTCOMES)[number][] {
  return isAlertsOnly(settings) ? ['needs_human'] : ['needs_human', 'failed', 'lost'];
}

const nothingChosen = 'Choose at least one.';
const hearsNothing = (input: { outcomes: readonly unknown[]; eventTypes: readonly unknown[] }) =>
  input.outcomes.length + input.eventTypes.length === 0;

export function createChannelSchema(rules: TargetRules) {
  return z
    .object({
      name,
      settings: channelSettingsSchema(rules),
      outcomes: routes.outcomes.optional(),
      eventTypes: routes.eventTypes.default([]),
      projectId: projectIdSchema.default(null),
      quietHours: quietHours.optional(),
    })
    .transform(({ outcomes, ...input }) => {
      return { ...input, outcomes: outcomes ?? defaultOutcomes(input.settings) };
    })
    .refine((input) => !hearsNothing(input), { path: ['outcomes'], message: nothingChosen });
}
export type CreateChannelInput = z.infer<ReturnType<typeof createChannelSchema>>;

/** Fields that are left out stay unchanged. Settings are replaced as a whole. */
export function updateChannelSchema(rules: TargetRules) {
  return z.object({
    name: name.optional(),
    settings: channelSettingsSchema(rules).optional(),
    outcomes: routes.outcomes.optional(),
    eventTypes: routes.eventTypes.optional(),
    projectId: projectIdSchema.optional(),
    quietHours: quietHours.optional(),
    isMuted: z.boolean().optional().meta({
      description:
        'True mutes the channel and cancels pending messages; false unmutes it and resets its failures.',
    }),
  });
}
export type UpdateChannelInput = z.infer<ReturnType<typeof updateChannelSchema>>;

export const channelDtoSchema = z.object({
  /** `ntc_…` */
  id: z.string(),
  kind: z.enum(CHANNEL_KINDS),
  name: z.string().meta({ description: 'Display name.' }),
  /** The channel's target, without secrets. */
  target: z.string(),
  outcomes: z.array(z.string()).meta({ description: 'Outcomes of chains it is subscribed to.' }),
  eventTypes: z.array(z.string()).meta({ description: 'Events it is subscribed to.' }),
  projectId: z
    .string()
    .nullable()
    .meta({ description: 'Only this project, `prj_…`; null: all of them.' }),
  alertsOnly: z.boolean().meta({
    description: 'It receives alerts, such as a chain that needs a human, and no plain notices.',
  }),
  quietHours,
  createdAt: z.string(),
  /** The first failure since the last success. */
  failingSince: z.string().nullable(),
  disabledAt: z.string().nullable(),
  /** `muted`, by a person; `failing_five_days`; or `rejected`, by the target. */
  disabledReason: z.string().nullable(),
  /** The newest message; null before the first. */
  last: z
    .object({
      id: z.string(),
      eventType: z.string(),
      title: z.string(),
      status: deliveryStatusSchema,
      attempts: z.number().int(),
      at: z.string(),
      nextAttemptAt: z.string().nullable(),
      /** Result of the last attempt, as a sentence; null before the first attempt. */
      result: z.string().nullable(),
    })
    .nullable(),
});
export type ChannelDto = z.infer<typeof channelDtoSchema>;

/**
 * The result of creating a channel or rotating its secret, the only times that a signing secret is
 * shown.
 */
export const channelWithSecretSchema = channelDtoSchema.extend({
  secret: z.string().nullable().meta({
    description: 'Signs the messages of an on-call webhook. Shown only once; null for other kinds.',
  }),
});
export type ChannelWithSecret = z.infer<typeof channelWithSecretSchema>;
