/** Messages to an Apprise API server: https://github.com/caronc/apprise-api. */

import { z } from 'zod';
import { resolveAllowed, resolveBySystem } from '@/lib/platform/outbound-http/connector';
import { RefusedAddressError } from '@/lib/platform/outbound-http/failure';
import type { OutboundResult } from '@/lib/platform/outbound-http/result';
import { checkTarget, type TargetRules } from '@/lib/platform/outbound-http/target-policy';
import type { Message } from '../../message';
import { httpSendResult, type SendResult } from '../../outbox/transport';
import {
  type ChannelProblem,
  channelKind,
  hostOf,
  type Installation,
  maskedKey,
  type Outgoing,
  posted,
  ready,
  STORED,
} from '../kind';
import { checkAppriseTarget, isOperatorsServer, operatorsRefusal } from './apprise-targets';

const MAX_URLS = 10;
const SHOWN_URLS = 3;

interface AppriseSettings {
  serverUrl: string | null;
  urls: string[];
  configKey: string | null;
  tags: string | null;
}

export const apprise = channelKind({
  kind: 'apprise',
  name: 'Apprise',
  fields: ({ appriseUrl }) => [
    {
      type: 'text',
      name: 'serverUrl',
      label: 'Apprise server',
      ...(appriseUrl ? { isOptional: true } : {}),
      placeholder: 'https://apprise.example.com',
      hint: `${appriseUrl ? 'Leave empty to use this installation’s server.' : 'An Apprise API server.'} Private and metadata addresses are refused.`,
    },
    {
      type: 'list',
      name: 'urls',
      label: 'Apprise URLs',
      placeholder: 'slack://token/channel',
      hint: `One per line. ${STORED}`,
    },
    {
      type: 'text',
      name: 'configKey',
      label: 'Configuration key',
      isOptional: true,
      hint: 'Instead of URLs: a configuration stored on an Apprise server of your own.',
    },
    {
      type: 'text',
      name: 'tags',
      label: 'Tags',
      isOptional: true,
      hint: 'Only services with one of these tags are notified.',
    },
  ],
  settings: (rules: TargetRules) =>
    z
      .object({
        kind: z.literal('apprise').meta({ description: 'By an Apprise API server.' }),
        serverUrl: orNull(z.string().trim())
          .superRefine((text, context) => {
            const check = text === null ? { ok: true as const } : checkTarget(text, rules);
            if (!check.ok) context.addIssue({ code: 'custom', message: check.message });
          })
          .meta({
            description: 'Address of the Apprise API server; null: the installation’s default.',
          }),
        urls: z
          .array(
            z
              .string()
              .trim()
              .max(2_000)
              .regex(
                /^[a-z][a-z0-9+.-]*:\/\/\S+$/i,
                'An Apprise URL names a service, such as slack://token/channel.',
              ),
          )
          .max(MAX_URLS, `A channel has at most ${MAX_URLS} URLs.`)
          .default([])
          .meta({ description: 'Apprise URLs; they may hold secrets and are never shown again.' }),
        configKey: orNull(
          z
            .string()
            .trim()
            .regex(/^[\w-]{0,64}$/, 'A key has letters, digits, - and _, at most 64.'),
        ).meta({
          description: 'Key of a configuration stored on the Apprise server, instead of URLs.',
        }),
        tags: orNull(z.string().trim().max(200, 'Tags have at most 200 characters.')).meta({
          description: 'Tags of the services to notify.',
        }),
      })
      .superRefine(({ urls, configKey }, context) => {
        if (urls.length > 0 !== (configKey !== null)) return;
        const message = configKey
          ? 'Enter Apprise URLs or the key of a configuration, not both.'
          : 'Enter an Apprise URL, or the key of a configuration on the server.';
        context.addIssue({ code: 'custom', path: ['urls'], message });
      }),
  target: ({ serverUrl, urls, configKey, tags }) => {
    const services = urls.map((url) => `${url.slice(0, url.indexOf(':'))}://••••`);
    const more = services.length - SHOWN_URLS;
    const parts = [
      ...services.slice(0, SHOWN_URLS),
      ...(more > 0 ? [`${more} more`] : []),
      ...(configKey ? [`configuration ${maskedKey(configKey)}`] : []),
      ...(tags ? [`tags ${tags}`] : []),
    ];
    return `${parts.join(', ')} via ${serverUrl ? hostOf(serverUrl) : "this installation's Apprise"}`;
  },
  secrets: ({ urls, configKey }) => [...urls, ...(configKey ? [configKey] : [])],
  problem: whyRefused,
  prepare: (outgoing, settings) => ready(() => send(outgoing, settings)),
});

/** A text, or null: an empty one is none. */
function orNull(text: z.ZodString) {
  return text
    .nullable()
    .default(null)
    .transform((entered) => entered || null);
}

function whyRefused(
  { serverUrl, urls, configKey }: AppriseSettings,
  { appriseUrl, allowPrivateTargets: allowPrivate }: Installation,
): ChannelProblem | null {
  const server = serverUrl ?? appriseUrl;
  if (!server) {
    const message = 'This installation has no default Apprise server. Enter the URL of one.';
    return { field: 'serverUrl', error: 'no_apprise_server', message };
  }
  if (!isOperatorsServer(server, appriseUrl)) return null;
  const refusal = operatorsRefusal({ urls, configKey }, { allowPrivate });
  return refusal && { ...refusal, error: 'target_not_allowed' };
}

async function send(
  { using, installation, message }: Outgoing,
  settings: AppriseSettings,
): Promise<SendResult> {
  const { appriseUrl, allowPrivateTargets: allowPrivate } = installation;
  const serverUrl = settings.serverUrl ?? appriseUrl ?? '';
  const client = settings.serverUrl ? using.http : using.trustedHttp;
  const request = posted(notifyUrl(serverUrl, settings.configKey), bodyOf(settings, message));
  if (!isOperatorsServer(serverUrl, appriseUrl)) {
    return appriseResult(await client.request(request));
  }
  const refused = await unresolvedTarget(settings.urls, { allowPrivate });
  return refused ?? withoutOperatorsNetwork(appriseResult(await client.request(request)));
}

function bodyOf({ urls, configKey, tags }: AppriseSettings, { title, lines, link, tone }: Message) {
  return {
    ...(configKey ? {} : { urls: urls.join(', ') }),
    ...(tags ? { tag: tags } : {}),
    title,
    body: [...lines, ...(link ? [link.url] : [])].join('\n\n'),
    type: tone,
    format: 'text',
  };
}

/**
 * Returns the URL below the server's own path, with or without a trailing slash: /notify for the
 * URLs of services, or /notify/{key} for a configuration that the server stores.
 */
function notifyUrl(serverUrl: string, configKey: string | null): string {
  const url = new URL(serverUrl);
  const base = url.pathname.replace(/\/+$/, '').replace(/\/notify$/, '');
  url.pathname = `${base}/notify${configKey ? `/${configKey}` : ''}`;
  return url.toString();
}

/** Returns the failure of a target whose host may not be called; null if there is none. */
async function unresolvedTarget(
  urls: readonly string[],
  rules: TargetRules,
): Promise<SendResult | null> {
  const targets = urls.map((url) => checkAppriseTarget(url, rules));
  const hosts = targets.flatMap((target) => (target.ok && target.host ? [target.host] : []));
  try {
    for (const host of hosts) await resolveAllowed(host, resolveBySystem, rules);
    return null;
  } catch (error) {
    if (!(error instanceof RefusedAddressError)) throw error;
    const { reason, message } = error.refusal;
    return httpSendResult({
      ...{ ok: false, reason, message, isPermanent: false },
      ...{ status: null, durationMs: 0, address: null },
    });
  }
}

/**
 * Leaves out what the operator's own server says: its names and addresses are not the tenant's to
 * know, and it may repeat those of others.
 */
function withoutOperatorsNetwork(sent: SendResult): SendResult {
  if (sent.isTaken) return { ...sent, text: '', responseHeaders: {} };
  const why = sent.error?.replaceAll('_', ' ') ?? `it responded ${sent.status}`;
  const text = `This installation’s Apprise server did not send the message: ${why}. If the channel’s URLs are right, ask the operator to look at that server.`;
  return { ...sent, text, responseHeaders: {} };
}

/**
 * Interprets the answer of an Apprise API server. 204 means that a key or tag matched nothing, so
 * nobody was notified; 424 that at least one service failed.
 */
function appriseResult(result: OutboundResult): SendResult {
  const sent = { ...httpSendResult(result), isGone: false };
  if (!result.ok) return sent;
  if (result.status === 204) {
    return {
      ...sent,
      isTaken: false,
      error: 'nobody_notified',
      text: 'The Apprise server notified nobody: no configuration or service matches the key and tags.',
    };
  }
  if (result.status === 424) {
    const details = result.bodyText ? ` Its response: ${result.bodyText}` : '';
    return {
      ...sent,
      error: 'service_failed',
      text: `The Apprise server could not reach every service behind it.${details}`,
    };
  }
  return sent;
}
