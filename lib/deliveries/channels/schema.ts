/** Notification channels as they are saved and shown. */

import { z } from 'zod';
import { checkTarget, type TargetRules } from '@/lib/platform/outbound-http/target-policy';
import { deliveryStatusSchema } from '../outbox/schema';

export const CHANNEL_KINDS = ['email', 'apprise'] as const;
/** Why a channel is off: by hand, or since it failed for five days. */
export const CHANNEL_DISABLED_REASONS = ['failing_five_days', 'muted'] as const;

/** How a chain ends, worst first: what a channel may hear of. */
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
  'chain.escalated',
  'chain.started',
] as const;

const MOST_ADDRESSES = 10;
const MOST_URLS = 10;

const emailSettings = z.object({
  kind: z.literal('email'),
  addresses: z
    .array(z.email({ error: 'Enter a full address, such as ops@example.com.' }))
    .min(1, 'Enter at least one address.')
    .max(MOST_ADDRESSES, `A channel has at most ${MOST_ADDRESSES} addresses.`)
    .transform((addresses) => [...new Set(addresses)]),
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
      kind: z.literal('apprise'),
      /** Null: the installation's own server, APPRISE_URL. */
      serverUrl: z
        .string()
        .trim()
        .nullable()
        .default(null)
        .transform((text) => text || null)
        .superRefine((text, context) => {
          const check = text === null ? { ok: true as const } : checkTarget(text, rules);
          if (!check.ok) context.addIssue({ code: 'custom', message: check.message });
        }),
      /**
       * URLs of the services that the server forwards to. They contain the secrets of those
       * services.
       */
      urls: z
        .array(appriseUrl)
        .max(MOST_URLS, `A channel has at most ${MOST_URLS} URLs.`)
        .default([]),
      /** Key of a configuration that the server stores. */
      configKey: z
        .string()
        .trim()
        .regex(/^[\w-]{0,64}$/, 'A key has letters, digits, - and _, at most 64.')
        .nullable()
        .default(null)
        .transform((text) => text || null),
      /** Limits a stored configuration to the services with one of these tags. */
      tags: z
        .string()
        .trim()
        .max(200, 'Tags have at most 200 characters.')
        .nullable()
        .default(null)
        .transform((text) => text || null),
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
  return z.discriminatedUnion('kind', [emailSettings, appriseSettings(rules)]);
}
export type ChannelSettings = z.infer<ReturnType<typeof channelSettingsSchema>>;

/** Stored settings aren't checked against the target rules again when they are read. */
export const storedSettingsSchema = channelSettingsSchema({ allowPrivate: true });

const name = z.string().trim().min(1, 'Enter a name.').max(60, 'A name has at most 60 characters.');

/** Which events the channel receives. */
const routes = {
  outcomes: z.array(z.enum(CHANNEL_OUTCOMES)).transform((all) => [...new Set(all)]),
  eventTypes: z.array(z.enum(CHANNEL_EVENT_TYPES)).transform((all) => [...new Set(all)]),
};

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
      /** Id or slug; null: every project. */
      projectId: z.string().nullable().default(null),
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
    projectId: z.string().nullable().optional(),
    /** True stops the channel's messages; false resumes them and resets its failures. */
    isMuted: z.boolean().optional(),
  });
}
export type UpdateChannelInput = z.infer<ReturnType<typeof updateChannelSchema>>;

export const channelDtoSchema = z.object({
  /** `ntc_…` */
  id: z.string(),
  kind: z.enum(CHANNEL_KINDS),
  name: z.string(),
  /** The channel's target, without secrets. */
  target: z.string(),
  outcomes: z.array(z.string()),
  eventTypes: z.array(z.string()),
  /** `prj_…`; null: every project. */
  projectId: z.string().nullable(),
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
