/** Notification channels as they are saved and shown. */

import { z } from 'zod';
import { checkTarget, type TargetRules } from '@/lib/platform/outbound-http/target-policy';
import { deliveryStatusSchema } from '../outbox/schema';

export const CHANNEL_KINDS = ['email', 'apprise'] as const;
/** Why a channel is off: disabled manually, or after five days of failures. */
export const CHANNEL_DISABLED_REASONS = ['failing_five_days', 'muted'] as const;

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
  'budget.reached',
  'budget.warning',
  'runner.offline',
  'runner.key_shared',
  'approval.requested',
  'approval.decided',
  'approval.expired',
  'chain.escalated',
  'chain.started',
] as const;

const MAX_ADDRESSES = 10;
const MAX_URLS = 10;

const emailSettings = z.object({
  kind: z.literal('email').meta({ description: 'By e-mail, or by an Apprise API server.' }),
  addresses: z
    .array(z.email({ error: 'Enter a full address, such as ops@example.com.' }))
    .min(1, 'Enter at least one address.')
    .max(MAX_ADDRESSES, `A channel has at most ${MAX_ADDRESSES} addresses.`)
    .transform((addresses) => [...new Set(addresses)])
    .meta({ description: `Up to ${MAX_ADDRESSES} e-mail addresses.` }),
});

const appriseUrl = z
  .string()
  .trim()
  .max(2_000)
  .regex(
    /^[a-z][a-z0-9+.-]*:\/\/\S+$/i,
    'An Apprise URL names a service, such as slack://token/channel.',
  );

/**
 * `rules` check the server's address when it is entered. The address it resolves to is checked at
 * every message.
 */
function appriseSettings(rules: TargetRules) {
  return z
    .object({
      kind: z.literal('apprise').meta({ description: 'By e-mail, or by an Apprise API server.' }),
      serverUrl: z
        .string()
        .trim()
        .nullable()
        .default(null)
        .transform((text) => text || null)
        .superRefine((text, context) => {
          const check = text === null ? { ok: true as const } : checkTarget(text, rules);
          if (!check.ok) context.addIssue({ code: 'custom', message: check.message });
        })
        .meta({
          description: 'Address of the Apprise API server; null: the installation’s default.',
        }),
      urls: z
        .array(appriseUrl)
        .max(MAX_URLS, `A channel has at most ${MAX_URLS} URLs.`)
        .default([])
        .meta({ description: 'Apprise URLs; they may hold secrets and are never shown again.' }),
      configKey: z
        .string()
        .trim()
        .regex(/^[\w-]{0,64}$/, 'A key has letters, digits, - and _, at most 64.')
        .nullable()
        .default(null)
        .transform((text) => text || null)
        .meta({
          description: 'Key of a configuration stored on the Apprise server, instead of URLs.',
        }),
      tags: z
        .string()
        .trim()
        .max(200, 'Tags have at most 200 characters.')
        .nullable()
        .default(null)
        .transform((text) => text || null)
        .meta({ description: 'Tags of the services to notify.' }),
    })
    .superRefine(({ urls, configKey }, context) => {
      if (urls.length > 0 !== (configKey !== null)) return;
      const message = configKey
        ? 'Enter Apprise URLs or the key of a configuration, not both.'
        : 'Enter an Apprise URL, or the key of a configuration on the server.';
      context.addIssue({ code: 'custom', path: ['urls'], message });
    });
}

function channelSettingsSchema(rules: TargetRules) {
  return z
    .discriminatedUnion('kind', [emailSettings, appriseSettings(rules)])
    .meta({ description: 'Where messages go. Stored encrypted.' });
}
export type ChannelSettings = z.infer<ReturnType<typeof channelSettingsSchema>>;

/** Stored settings aren't checked against the target rules again when they are read. */
export const storedSettingsSchema = channelSettingsSchema({ allowPrivate: true });

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

const nothingChosen = 'Choose at least one.';
const hearsNothing = (input: { outcomes: readonly unknown[]; eventTypes: readonly unknown[] }) =>
  input.outcomes.length + input.eventTypes.length === 0;

export function createChannelSchema(rules: TargetRules) {
  return z
    .object({
      name,
      settings: channelSettingsSchema(rules),
      outcomes: routes.outcomes.default(['needs_human', 'failed', 'lost']),
      eventTypes: routes.eventTypes.default([]),
      projectId: projectIdSchema.default(null),
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
  createdAt: z.string(),
  /** The first failure since the last success. */
  failingSince: z.string().nullable(),
  disabledAt: z.string().nullable(),
  /** `muted`, by a person, or `failing_five_days`. */
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
