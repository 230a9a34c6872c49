/** What a kind of channel says about itself, and what several kinds need. See kinds/. */

import { z } from 'zod';
import type { env } from '@/lib/platform/env';
import { withoutHidden } from '@/lib/platform/format/visible-text';
import type { Mailer } from '@/lib/platform/mail';
import type { OutboundClient, OutboundRequest } from '@/lib/platform/outbound-http/client';
import { checkTarget, type TargetRules } from '@/lib/platform/outbound-http/target-policy';
import type { AlertSubject } from '../alert';
import type { Message } from '../message';
import type { DeliveryRecord } from '../outbox/data';
import { ATTEMPT_TIMEOUT_MS, RESPONSE_EXCERPT_BYTES } from '../outbox/retry-policy';
import type { Prepared, SendResult } from '../outbox/transport';
import { MASK } from '../schema';
import type { Condition, FormField } from './form';

export interface ChannelKind<
  Kind extends string = string,
  Settings extends z.ZodObject = z.ZodObject,
> {
  kind: Kind;
  /** As a label. */
  name: string;
  /** Inside a sentence, if it isn't the name of a product. */
  inSentence?: string;
  /** Other words that its settings are found by. */
  words?: string;
  /** Which settings make a channel receive alerts and no notices, as on-call services do; true: all. */
  alertsOnly?: true | Condition;
  /** Its messages are signed, with a secret that is minted for each channel. */
  isSigned?: true;
  /** The field that shows the target of a stored channel. Omitted: the target contains a secret. */
  shownIn?: string;
  /** Returns whether the installation can send to it. Omitted: always. */
  isAvailable?(installation: Installation): boolean;
  /** Returns the form of its target. */
  fields(installation: Installation): readonly FormField[];
  /** @param rules check the addresses that are entered; at every message, the client does */
  settings(rules: TargetRules): Settings;
  /** Returns the target for display. Of URLs it shows only the host, and of keys only the end. */
  target(settings: z.output<Settings>): string;
  /** Returns what is masked in answers: everyone in the organization reads them. */
  secrets(settings: z.output<Settings>): readonly string[];
  /** Returns why a channel can't be sent to, when it is saved and at each message; null if it can. */
  problem?(settings: z.output<Settings>, installation: Installation): ChannelProblem | null;
  /** Prepares a message. One to a channel that receives alerts only is an alert. */
  prepare(outgoing: Outgoing, settings: z.output<Settings>): Prepared;
}

/** What the operator has set. */
export type Installation = Pick<
  ReturnType<typeof env>,
  'smtpUrl' | 'appriseUrl' | 'allowPrivateTargets' | 'publicUrl'
>;

export interface ChannelProblem {
  field: string;
  /** Named reason in the log of the message. */
  error: string;
  message: string;
}

/** A message on its way to a channel. */
export interface Outgoing {
  using: Senders;
  installation: Installation;
  delivery: DeliveryRecord;
  message: Message;
  channelName: string;
  /** Returns the headers that sign a body, for kinds that are signed. */
  sign(body: string): Record<string, string>;
}

export interface Senders {
  /** For addresses that users entered. */
  http: OutboundClient;
  /** For the operator's own Apprise server, which may be in a private network. */
  trustedHttp: OutboundClient;
  /** Null if the installation sends no e-mail. */
  mailer: Mailer | null;
}

/** Returns the kind as it is, its settings typed by its schema. */
export function channelKind<Kind extends string, Settings extends z.ZodObject>(
  kind: ChannelKind<Kind, Settings>,
): ChannelKind<Kind, Settings> {
  return kind;
}

/** Ends the hint of a secret. */
export const STORED = 'Stored encrypted and not shown again.';

/** Checked when it is entered; the address it resolves to, at every message. */
export function targetUrl(rules: TargetRules) {
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
export function optionalUrl(rules: TargetRules) {
  return z
    .preprocess(emptyToNull, targetUrl(rules).nullable())
    .default(null)
    .transform((url) => url?.replace(/\/+$/, '') ?? null);
}

export const emptyToNull = (value: unknown) =>
  typeof value === 'string' && value.trim() === '' ? null : value;

export function hostOf(url: string): string {
  return new URL(url).host;
}

export function maskedUrl(url: string): string {
  return `${hostOf(url)}/${MASK}`;
}

/** Masks a key: whoever knows it can send with it. */
export function maskedKey(key: string): string {
  return `${MASK}${key.length >= 12 ? key.slice(-2) : ''}`;
}

/** Text of other systems on one line, without control and invisible characters; may be empty. */
export function oneLine(text: string): string {
  return withoutHidden(text).replace(/\s+/g, ' ').trim();
}

/** The address of a web page; null for every other scheme, such as `javascript:`. */
export function webUrl(text: string): URL | null {
  const url = URL.parse(text);
  return url && ['https:', 'http:'].includes(url.protocol) ? url : null;
}

/** Returns the alert of a message to a channel that receives nothing else. */
export function requireAlert({ alert }: Message): AlertSubject {
  if (!alert) throw new Error('A channel that receives alerts only got a notice.');
  return alert;
}

const HEADERS = {
  'content-type': 'application/json',
  accept: 'application/json',
  'user-agent': 'Tierwatch-Notifications/1',
};

/** Returns the request that posts JSON. */
export function posted(url: string, body: object, headers: Record<string, string> = {}) {
  return {
    url,
    method: 'POST',
    headers: { ...HEADERS, ...headers },
    body: JSON.stringify(body),
    timeoutMs: ATTEMPT_TIMEOUT_MS,
    maxResponseBytes: RESPONSE_EXCERPT_BYTES,
  } satisfies OutboundRequest;
}

/** @param headers as the log shows them, without a secret */
export function ready(
  send: () => Promise<SendResult>,
  headers: Record<string, string> = HEADERS,
): Prepared {
  return { kind: 'ready', headers, send };
}
