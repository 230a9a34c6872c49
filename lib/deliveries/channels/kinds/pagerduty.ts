/** Events for PagerDuty: https://developer.pagerduty.com/docs/events-api-v2-overview. */

import { z } from 'zod';
import { cutText } from '@/lib/platform/format/text';
import { withoutHidden } from '@/lib/platform/format/visible-text';
import type { OutboundResult } from '@/lib/platform/outbound-http/result';
import type { AlertSubject } from '../../alert';
import { secretsOfUrl } from '../../outbox/mask-answer';
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
  webUrl,
} from '../kind';

const API_URL = 'https://events.pagerduty.com';
const enqueueUrl = (baseUrl: string | null) => `${baseUrl ?? API_URL}/v2/enqueue`;

export const pagerduty = channelKind({
  kind: 'pagerduty',
  name: 'PagerDuty',
  alertsOnly: true,
  fields: () => [
    {
      type: 'text',
      name: 'routingKey',
      label: 'Integration key',
      hint: `In PagerDuty, add the integration Events API V2 to a service and copy its key. ${STORED}`,
    },
    {
      type: 'text',
      name: 'baseUrl',
      label: 'API address',
      isOptional: true,
      placeholder: API_URL,
      hint: 'For accounts in the EU: https://events.eu.pagerduty.com',
    },
  ],
  settings: (rules) =>
    z.object({
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
        description: `Address of the Events API; null: ${API_URL}. In the EU: https://events.eu.pagerduty.com.`,
      }),
    }),
  target: ({ routingKey, baseUrl }) =>
    `key ${maskedKey(routingKey)} at ${hostOf(baseUrl ?? API_URL)}`,
  secrets: ({ routingKey, baseUrl }) => [routingKey, ...secretsOfUrl(enqueueUrl(baseUrl))],
  prepare: ({ using, message, delivery }, { routingKey, baseUrl }) => {
    const at = delivery.createdAt.toISOString();
    const event = pagerdutyEvent(requireAlert(message), { routingKey, at });
    const request = posted(enqueueUrl(baseUrl), event);
    return ready(async () => pagerdutyResult(await using.http.request(request)));
  },
});

const MAX_SUMMARY_CHARS = 1_024;
const MAX_COMPONENT_CHARS = 255;
/** An event has at most 512 KB. */
const MAX_EVENT_BYTES = 512_000;

const ACTIONS = { firing: 'trigger', acknowledged: 'acknowledge', resolved: 'resolve' } as const;

interface EventKeys {
  event_action: (typeof ACTIONS)[AlertSubject['status']];
  dedup_key: string;
  /** Left out for receivers that need none. */
  routing_key?: string;
}

export interface PagerdutyEvent extends EventKeys {
  client?: string;
  client_url?: string;
  links?: { href: string; text: string }[];
  payload?: {
    summary: string;
    source: string;
    severity: AlertSubject['severity'];
    timestamp: string;
    component?: string;
    group?: string;
    custom_details: Record<string, unknown>;
  };
}

/**
 * Returns the Events API v2 event for an alert. Only a trigger has a payload.
 *
 * @param at when the alert reached this state, ISO 8601
 */
export function pagerdutyEvent(
  alert: AlertSubject,
  { routingKey, at }: { routingKey: string | null; at: string },
): PagerdutyEvent {
  const keys: EventKeys = {
    ...(routingKey === null ? {} : { routing_key: routingKey }),
    event_action: ACTIONS[alert.status],
    dedup_key: alert.dedupKey,
  };
  if (alert.status !== 'firing') return keys;
  const [component] = alert.services;
  const url = webUrl(alert.url);
  const event = (details: Record<string, unknown>): PagerdutyEvent => ({
    ...keys,
    client: 'Tierwatch',
    ...(url
      ? { client_url: url.href, links: [{ href: url.href, text: 'Incident in Tierwatch' }] }
      : {}),
    payload: {
      summary: cutText(oneLine(alert.title) || 'Alert', MAX_SUMMARY_CHARS),
      source: url?.host ?? 'tierwatch',
      severity: alert.severity,
      timestamp: at,
      ...(component ? { component: cutText(oneLine(component), MAX_COMPONENT_CHARS) } : {}),
      ...(alert.project ? { group: cutText(alert.project.slug, MAX_COMPONENT_CHARS) } : {}),
      custom_details: details,
    },
  });
  const whole = event({
    description: withoutHidden(alert.description),
    first_failure: alert.startedAt,
    ...(alert.project ? { project: alert.project.name } : {}),
    services: alert.services,
    needs_human: alert.needsHuman,
    sequence: alert.sequence,
  });
  if (Buffer.byteLength(JSON.stringify(whole)) <= MAX_EVENT_BYTES) return whole;
  const note = 'The details are larger than an event may be. Open the link to read them.';
  return event({ note, first_failure: alert.startedAt });
}

/**
 * Interprets an answer of the Events API. 202 accepts an event; 400 refuses it for good, which is
 * most often an integration key that PagerDuty doesn't know.
 */
export function pagerdutyResult(result: OutboundResult): SendResult {
  const sent = httpSendResult(result);
  if (!result.ok || result.status !== 400) return sent;
  return {
    ...sent,
    isPermanent: true,
    text: `PagerDuty refused the event. Check the integration key and the region. Its response: ${result.bodyText}`,
  };
}
