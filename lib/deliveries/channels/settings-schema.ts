/** Where each kind of channel sends to. Settings are stored encrypted, as a whole. */

import { z } from 'zod';
import { checkTarget, type TargetRules } from '@/lib/platform/outbound-http/target-policy';
import { MASK } from '../schema';
import {
  isAlertsOnlyKind,
  ONCALL_SHAPES,
  OPSGENIE_PRODUCTS,
  OPSGENIE_URLS,
  PAGERDUTY_URL,
} from '../targets/kinds';

const MAX_ADDRESSES = 10;
const MAX_URLS = 10;
const MAX_HEADERS = 10;

const emailSettings = z.object({
  kind: z.literal('email').meta({ description: 'By e-mail.' }),
  addresses: z
    .array(z.email({ error: 'Enter a full address, such as ops@example.com.' }))
    .min(1, 'Enter at least one address.')
    .max(MAX_ADDRESSES, `A channel has at most ${MAX_ADDRESSES} addresses.`)
    .transform((addresses) => [...new Set(addresses)])
    .meta({ description: `Up to ${MAX_ADDRESSES} e-mail addresses.` }),
});

/** Checked when it is entered; the address it resolves to, at every message. */
function targetUrl(rules: TargetRules) {
  return z
    .string()
    .trim()
    .superRefine((text, context) => {
      const check = checkTarget(text, rules);
      const isMasked = text.includes(MASK);
      const masked = 'Part of this URL is masked. Enter the full URL.';
      if (isMasked) context.addIssue({ code: 'custom', message: masked });
      else if (!check.ok) context.addIssue({ code: 'custom', message: check.message });
    });
}

/** An empty text is the default. */
function optionalUrl(rules: TargetRules) {
  return z
    .preprocess(emptyToNull, targetUrl(rules).nullable())
    .default(null)
    .transform((url) => url?.replace(/\/+$/, '') ?? null);
}

const emptyToNull = (value: unknown) =>
  typeof value === 'string' && value.trim() === '' ? null : value;

function slackSettings(rules: TargetRules) {
  return z.object({
    kind: z.literal('slack').meta({ description: 'By an incoming webhook of Slack.' }),
    url: targetUrl(rules)
      .refine((text) => (URL.parse(text)?.pathname.length ?? 2) > 1, {
        message:
          'This URL has no path. Copy the whole webhook URL from Slack, such as https://hooks.slack.com/services/T0/B0/x.',
      })
      .meta({ description: 'The webhook URL that Slack shows. A secret, never shown again.' }),
  });
}

function pagerdutySettings(rules: TargetRules) {
  return z.object({
    kind: z.literal('pagerduty').meta({ description: 'By the Events API v2 of PagerDuty.' }),
    routingKey: z
      .string()
      .trim()
      .regex(
        /^[A-Za-z0-9]{32}$/,
        'An integration key has 32 letters and digits. Copy it from the service’s Events API v2 integration.',
      )
      .meta({ description: 'Integration key of a service. A secret, never shown again.' }),
    baseUrl: optionalUrl(rules).meta({
      description: `Address of the Events API; null: ${PAGERDUTY_URL}. In the EU: https://events.eu.pagerduty.com.`,
    }),
  });
}

function opsgenieSettings(rules: TargetRules) {
  return z.object({
    kind: z
      .literal('opsgenie')
      .meta({ description: 'By the alert API of Jira Service Management or Opsgenie.' }),
    product: z.enum(OPSGENIE_PRODUCTS).default('jsm').meta({
      description: 'jsm: Jira Service Management; opsgenie: Opsgenie, until it ends.',
    }),
    apiKey: z
      .string()
      .trim()
      .regex(/^[\w-]{16,100}$/, 'An API key has 16 to 100 letters, digits, - and _.')
      .meta({ description: 'Key of an API integration. A secret, never shown again.' }),
    baseUrl: optionalUrl(rules).meta({
      description: `Address of the API; null: ${OPSGENIE_URLS.jsm}, or ${OPSGENIE_URLS.opsgenie}. Opsgenie in the EU: https://api.eu.opsgenie.com.`,
    }),
  });
}

/** Headers that the request has already, or that change how it is read. */
const RESERVED_HEADERS =
  /^(?:webhook-.*|content-.*|user-agent|host|connection|keep-alive|transfer-encoding|te|trailer|upgrade|expect|proxy-.*)$/i;

const headerSchema = z.object({
  name: z
    .string()
    .trim()
    .regex(/^[A-Za-z0-9-]{1,64}$/, 'A header name has letters, digits and -, at most 64.')
    .refine((text) => !RESERVED_HEADERS.test(text), {
      message: 'Tierwatch sets this header itself. Choose another name, such as Authorization.',
    })
    .meta({ description: 'Letters, digits and -; not one that Tierwatch sets itself.' }),
  value: z
    .string()
    .trim()
    .regex(
      /^[\x20-\x7e]{1,2000}$/,
      'A header value has 1 to 2,000 printable ASCII characters, on one line.',
    )
    .meta({ description: 'A secret, never shown again.' }),
});

function oncallSettings(rules: TargetRules) {
  return z.object({
    kind: z
      .literal('oncall_webhook')
      .meta({ description: 'By signed JSON, for on-call tools without a kind of their own.' }),
    url: targetUrl(rules).meta({
      description: 'Where the JSON is posted: https, a public address. A secret.',
    }),
    shape: z.enum(ONCALL_SHAPES).default('tierwatch').meta({
      description: 'tierwatch: alerts and notices; events_v2: alerts as Events API v2 bodies.',
    }),
    routingKey: z
      .preprocess(
        emptyToNull,
        z
          .string()
          .trim()
          .regex(/^[\x21-\x7e]{1,255}$/, 'A routing key has 1 to 255 characters and no spaces.')
          .nullable(),
      )
      .default(null)
      .meta({ description: 'routing_key of Events API v2 bodies, if the receiver needs one.' }),
    headers: z
      .array(headerSchema)
      .max(MAX_HEADERS, `A channel has at most ${MAX_HEADERS} headers.`)
      .refine(
        (headers) =>
          new Set(headers.map((each) => each.name.toLowerCase())).size === headers.length,
        { message: 'A header is listed twice. Enter each name once.' },
      )
      .default([])
      .meta({
        description: 'Sent with every request, such as Authorization. Values are secrets.',
      }),
  });
}

/** Kept with the settings, and never part of what is entered. */
const signingSchema = z.object({
  secret: z.string(),
  /** Signs, too, until `previousUntil`. */
  previous: z.string().nullable(),
  previousUntil: z.iso.datetime().nullable(),
});
export type ChannelSigning = z.infer<typeof signingSchema>;

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
      kind: z.literal('apprise').meta({ description: 'By an Apprise API server.' }),
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

/** @param rules check the addresses that are entered */
export function channelSettingsSchema(rules: TargetRules) {
  return z
    .discriminatedUnion('kind', [
      emailSettings,
      slackSettings(rules),
      pagerdutySettings(rules),
      opsgenieSettings(rules),
      oncallSettings(rules),
      appriseSettings(rules),
    ])
    .meta({ description: 'Where messages go. Stored encrypted.' });
}
export type ChannelSettings = z.infer<ReturnType<typeof channelSettingsSchema>>;

const ANY_ADDRESS: TargetRules = { allowPrivate: true };

/** Stored settings aren't checked against the target rules again when they are read. */
export const storedSettingsSchema = z.discriminatedUnion('kind', [
  emailSettings,
  slackSettings(ANY_ADDRESS),
  pagerdutySettings(ANY_ADDRESS),
  opsgenieSettings(ANY_ADDRESS),
  oncallSettings(ANY_ADDRESS).extend({ signing: signingSchema }),
  appriseSettings(ANY_ADDRESS),
]);
export type StoredSettings = z.infer<typeof storedSettingsSchema>;

/** Returns whether a channel with these settings receives alerts and no plain notices. */
export function isAlertsOnly(settings: ChannelSettings): boolean {
  const shape = settings.kind === 'oncall_webhook' ? settings.shape : 'tierwatch';
  return isAlertsOnlyKind(settings.kind, shape);
}
