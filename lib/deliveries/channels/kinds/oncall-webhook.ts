/** Messages to a generic on-call webhook, in the shape of Tierwatch or of the Events API v2. */

import { z } from 'zod';
import { cutText } from '@/lib/platform/format/text';
import { withoutHidden } from '@/lib/platform/format/visible-text';
import { encodeId } from '@/lib/platform/ids';
import type { AlertSubject } from '../../alert';
import type { Message } from '../../message';
import { secretsOfUrl } from '../../outbox/mask-answer';
import { httpSendResult } from '../../outbox/transport';
import { MASK } from '../../schema';
import {
  channelKind,
  emptyToNull,
  maskedUrl,
  posted,
  ready,
  requireAlert,
  STORED,
  targetUrl,
} from '../kind';
import { pagerdutyEvent } from './pagerduty';

const MAX_HEADERS = 10;
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

export const oncallWebhook = channelKind({
  kind: 'oncall_webhook',
  name: 'On-call webhook',
  inSentence: 'on-call webhook',
  alertsOnly: { shape: 'events_v2' },
  isSigned: true,
  fields: () => [
    {
      type: 'text',
      name: 'url',
      label: 'URL',
      placeholder: 'https://oncall.example.com/alerts',
      hint: `Receives one signed JSON object per message. ${STORED}`,
    },
    {
      type: 'choice',
      name: 'shape',
      label: 'JSON',
      choices: [
        { value: 'tierwatch', label: 'Tierwatch JSON' },
        { value: 'events_v2', label: 'Events v2 JSON' },
      ],
    },
    {
      type: 'text',
      name: 'routingKey',
      label: 'Routing key',
      when: { shape: 'events_v2' },
      isOptional: true,
      hint: 'routing_key of each event, if the receiver needs one.',
    },
    {
      type: 'headers',
      name: 'headers',
      label: 'Headers',
      isOptional: true,
      placeholder: 'Authorization: Bearer …',
      hint: `One per line, such as a bearer token. ${STORED}`,
    },
  ],
  settings: (rules) =>
    z.object({
      kind: z
        .literal('oncall_webhook')
        .meta({ description: 'By signed JSON, for on-call tools without a kind of their own.' }),
      url: targetUrl(rules).meta({
        description: 'Where the JSON is posted: https, a public address. A secret.',
      }),
      shape: z.enum(['tierwatch', 'events_v2']).default('tierwatch').meta({
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
    }),
  target: ({ url, shape }) =>
    `${maskedUrl(url)} (${shape === 'events_v2' ? 'Events v2' : 'Tierwatch'} JSON)`,
  secrets: ({ url, routingKey, headers }) => [
    ...secretsOfUrl(url),
    ...(routingKey === null ? [] : [routingKey]),
    ...headers.flatMap(({ value }) => [value, ...value.split(' ')]),
  ],
  prepare: ({ using, message, delivery, sign }, { url, shape, routingKey, headers }) => {
    const at = delivery.createdAt.toISOString();
    const body =
      shape === 'events_v2'
        ? pagerdutyEvent(requireAlert(message), { routingKey, at })
        : tierwatchBody(message, {
            id: encodeId('dlv', delivery.id),
            type: delivery.eventType,
            occurredAt: at,
          });
    const request = posted(url, body);
    const signature = sign(request.body);
    const withHeaders = (value: (header: { value: string }) => string) => ({
      ...request.headers,
      ...Object.fromEntries(headers.map((each) => [each.name.toLowerCase(), value(each)])),
      ...signature,
    });
    const signed = { ...request, headers: withHeaders(({ value }) => value) };
    return ready(
      async () => httpSendResult(await using.http.request(signed)),
      withHeaders(() => MASK),
    );
  },
});

/** Keeps a body far below the 512 KB that on-call services accept. */
const MAX_CHARS = { title: 1_024, description: 100_000 } as const;
const MAX_SERVICES = 200;

const SEVERITIES: Record<Message['tone'], AlertSubject['severity']> = {
  failure: 'error',
  warning: 'warning',
  success: 'info',
  info: 'info',
};

interface Occasion {
  /** `dlv_…`, the same over retries; also the `webhook-id` header. */
  id: string;
  /** The event: chain.completed, channel.test, … */
  type: string;
  /** ISO 8601. */
  occurredAt: string;
}

/** Returns one JSON object per message. A plain notice has neither a dedup key nor a status. */
export function tierwatchBody(message: Message, { id, type, occurredAt }: Occasion) {
  const { alert, link } = message;
  const shown = (text: string, chars: number) => cutText(withoutHidden(text), chars);
  return {
    id,
    type,
    occurred_at: occurredAt,
    sequence: alert?.sequence ?? null,
    dedup_key: alert?.dedupKey ?? null,
    status: alert?.status ?? null,
    title: shown(alert?.title ?? message.title, MAX_CHARS.title),
    description: shown(alert?.description ?? message.lines.join('\n\n'), MAX_CHARS.description),
    severity: alert?.severity ?? SEVERITIES[message.tone],
    project: alert?.project ?? null,
    services: (alert?.services ?? []).slice(0, MAX_SERVICES),
    started_at: alert?.startedAt ?? null,
    resolved_at: alert?.resolvedAt ?? null,
    url: alert?.url ?? link?.url ?? null,
    needs_human: alert?.needsHuman ?? false,
    links: link ? [{ href: link.url, text: link.label }] : [],
  };
}
