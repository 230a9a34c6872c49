/**
 * Alerts for Opsgenie and Jira Service Management, which has the same API at another address:
 * https://docs.opsgenie.com/docs/alert-api.
 */

import { z } from 'zod';
import { cutText } from '@/lib/platform/format/text';
import { withoutHidden } from '@/lib/platform/format/visible-text';
import type { OutboundResult } from '@/lib/platform/outbound-http/result';
import type { AlertSubject } from '../../alert';
import { httpSendResult, type SendResult } from '../../outbox/transport';
import {
  channelKind,
  hostOf,
  maskedKey,
  oneLine,
  optionalUrl,
  posted,
  ready,
  requireAlert,
  STORED,
} from '../kind';

const PRODUCTS = {
  jsm: {
    label: 'Jira Service Management',
    apiUrl: 'https://api.atlassian.com/jsm/ops/integration',
    hint: 'Leave empty to use the address of Atlassian.',
  },
  opsgenie: {
    label: 'Opsgenie',
    apiUrl: 'https://api.opsgenie.com',
    hint: 'For accounts in the EU: https://api.eu.opsgenie.com',
  },
} as const;
type Product = keyof typeof PRODUCTS;
const products = Object.keys(PRODUCTS) as Product[];

const apiUrl = ({ product, baseUrl }: { product: Product; baseUrl: string | null }) =>
  baseUrl ?? PRODUCTS[product].apiUrl;

export const opsgenie = channelKind({
  kind: 'opsgenie',
  name: 'Opsgenie / JSM',
  words: 'jira',
  alertsOnly: true,
  fields: () => [
    {
      type: 'choice',
      name: 'product',
      label: 'Product',
      choices: products.map((value) => ({ value, label: PRODUCTS[value].label })),
    },
    {
      type: 'note',
      when: { product: 'opsgenie' },
      text: 'Atlassian shuts down Opsgenie and its API on April 5, 2027. Use Jira Service Management where you can.',
    },
    {
      type: 'text',
      name: 'apiKey',
      label: 'API key',
      hint: `The key of an API integration that may create and update alerts. ${STORED}`,
    },
    ...products.map((product) => ({
      type: 'text' as const,
      name: 'baseUrl',
      label: 'API address',
      when: { product },
      isOptional: true as const,
      placeholder: PRODUCTS[product].apiUrl,
      hint: PRODUCTS[product].hint,
    })),
  ],
  settings: (rules) =>
    z.object({
      kind: z
        .literal('opsgenie')
        .meta({ description: 'By the alert API of Jira Service Management or Opsgenie.' }),
      product: z.enum(products).default('jsm').meta({
        description: 'jsm: Jira Service Management; opsgenie: Opsgenie, until it ends.',
      }),
      apiKey: z
        .string()
        .trim()
        .regex(/^[\w-]{16,100}$/, 'An API key has 16 to 100 letters, digits, - and _.')
        .meta({ description: 'Key of an API integration. A secret, never shown again.' }),
      baseUrl: optionalUrl(rules).meta({
        description: `Address of the API; null: ${PRODUCTS.jsm.apiUrl}, or ${PRODUCTS.opsgenie.apiUrl}. Opsgenie in the EU: https://api.eu.opsgenie.com.`,
      }),
    }),
  target: (settings) =>
    `${PRODUCTS[settings.product].label}, key ${maskedKey(settings.apiKey)} at ${hostOf(apiUrl(settings))}`,
  secrets: ({ apiKey }) => [apiKey],
  prepare: ({ using, message }, settings) => {
    const alert = requireAlert(message);
    const { path, body } = opsgenieRequest(alert);
    const authorization = `GenieKey ${settings.apiKey}`;
    const request = posted(`${apiUrl(settings)}${path}`, body, { authorization });
    return ready(async () => opsgenieResult(await using.http.request(request), alert.status));
  },
});

const MAX_CHARS = { message: 130, description: 15_000, entity: 512, tag: 50, detail: 500 } as const;
const MAX_TAGS = 20;

const PRIORITIES: Record<AlertSubject['severity'], string> = {
  critical: 'P1',
  error: 'P2',
  warning: 'P3',
  info: 'P5',
};

/** Returns the path below the API's address, and the body, for an alert. */
export function opsgenieRequest(alert: AlertSubject): {
  path: string;
  body: Record<string, unknown>;
} {
  const source = 'Tierwatch';
  if (alert.status !== 'firing') {
    const verb = alert.status === 'resolved' ? 'close' : 'acknowledge';
    const path = `/v2/alerts/${encodeURIComponent(alert.dedupKey)}/${verb}?identifierType=alias`;
    return { path, body: { source } };
  }
  const [entity] = alert.services;
  const detail = (text: string) => cutText(oneLine(text), MAX_CHARS.detail);
  const body = {
    message: cutText(oneLine(alert.title) || 'Alert', MAX_CHARS.message),
    alias: alert.dedupKey,
    description: cutText(
      [withoutHidden(alert.description), alert.url].filter((text) => text !== '').join('\n\n'),
      MAX_CHARS.description,
    ),
    ...(entity ? { entity: cutText(oneLine(entity), MAX_CHARS.entity) } : {}),
    tags: alert.services
      .map((service) => cutText(oneLine(service), MAX_CHARS.tag))
      .slice(0, MAX_TAGS),
    priority: PRIORITIES[alert.severity],
    source,
    details: {
      url: detail(alert.url),
      severity: alert.severity,
      first_failure: alert.startedAt,
      needs_human: String(alert.needsHuman),
      ...(alert.project ? { project: detail(alert.project.name) } : {}),
    },
  };
  return { path: '/v2/alerts', body };
}

/** Statuses that repeat until someone changes the key or the address. */
const REFUSED = new Set([400, 401, 403, 422]);

/**
 * Interprets an answer of the API, which accepts requests with 202. A close or acknowledgment of an
 * alert that doesn't exist there has nothing left to do.
 */
export function opsgenieResult(result: OutboundResult, status: AlertSubject['status']): SendResult {
  const sent = httpSendResult(result);
  if (!result.ok) return sent;
  if (result.status === 404 && status !== 'firing') {
    return { ...sent, isTaken: true, text: 'No open alert has this alias, so nothing changed.' };
  }
  if (!REFUSED.has(result.status)) return sent;
  return {
    ...sent,
    isPermanent: true,
    text: `The request was refused with ${result.status}. Check the API key, its rights, and the region. The response: ${result.bodyText}`,
  };
}
