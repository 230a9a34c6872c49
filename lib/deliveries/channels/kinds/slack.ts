/**
 * Messages to a Slack incoming webhook. The limits are those of https://docs.slack.dev: 50 blocks, a
 * header of 150 characters, sections of 3,000, and in practice about 13,200 in total.
 */

import { z } from 'zod';
import { cutText } from '@/lib/platform/format/text';
import { withoutHidden } from '@/lib/platform/format/visible-text';
import type { OutboundResult } from '@/lib/platform/outbound-http/result';
import type { AlertSubject } from '../../alert';
import type { Message } from '../../message';
import { secretsOfUrl } from '../../outbox/mask-answer';
import { httpSendResult, type SendResult } from '../../outbox/transport';
import {
  channelKind,
  maskedUrl,
  type Outgoing,
  oneLine,
  posted,
  ready,
  STORED,
  targetUrl,
  webUrl,
} from '../kind';

export const slack = channelKind({
  kind: 'slack',
  name: 'Slack',
  fields: () => [
    {
      type: 'text',
      name: 'url',
      label: 'Webhook URL',
      placeholder: 'https://hooks.slack.com/services/…',
      hint: `In Slack, add an incoming webhook to the channel and copy its URL. ${STORED}`,
    },
  ],
  settings: (rules) =>
    z.object({
      kind: z.literal('slack').meta({ description: 'By an incoming webhook of Slack.' }),
      url: targetUrl(rules)
        .refine((text) => (URL.parse(text)?.pathname.length ?? 2) > 1, {
          message:
            'This URL has no path. Copy the whole webhook URL from Slack, such as https://hooks.slack.com/services/T0/B0/x.',
        })
        .meta({ description: 'The webhook URL that Slack shows. A secret, never shown again.' }),
    }),
  target: ({ url }) => maskedUrl(url),
  secrets: ({ url }) => secretsOfUrl(url),
  prepare: (outgoing, { url }) => ready(() => send(outgoing, url)),
});

/** A webhook that refuses the blocks gets the same message once as text. */
async function send({ using, message }: Outgoing, url: string): Promise<SendResult> {
  const post = async (body: object) => slackResult(await using.http.request(posted(url, body)));
  const blocks = await post(slackMessage(message));
  if (blocks.status !== 400) return blocks;
  const plain = await post(slackPlainMessage(message));
  const durationMs = blocks.durationMs + plain.durationMs;
  if (!plain.isTaken) return { ...plain, durationMs };
  const text = `Sent as plain text, since the formatted message was refused. ${blocks.text}`;
  return { ...plain, durationMs, text };
}

/** In characters of the escaped text. */
const MAX_CHARS = { title: 150, field: 1_000, section: 2_800, link: 2_800 } as const;
const FENCE = '```';

type PlainText = { type: 'plain_text'; text: string; emoji: false };
/** `verbatim` keeps Slack from linking names and addresses in the text. */
type Markdown = { type: 'mrkdwn'; text: string; verbatim: true };
type Block =
  | { type: 'header'; text: PlainText }
  | { type: 'section'; text: PlainText | Markdown }
  | { type: 'section'; fields: Markdown[] };

export interface SlackMessage {
  /** The notification's preview, and the message itself if Slack refuses the blocks. */
  text: string;
  blocks: Block[];
}

/** Returns a message in blocks: a title, facts, the text and a link. At most four blocks. */
export function slackMessage(message: Message): SlackMessage {
  const { alert, link } = message;
  const title = oneLine(message.title) || 'Tierwatch';
  const severity = alert?.status === 'firing' ? ` (${alert.severity})` : '';
  const url = link ? slackLink(link.url, link.label) : null;
  const blocks: (Block | null)[] = [
    { type: 'header', text: plain(cutText(title, MAX_CHARS.title)) },
    alert ? factsOf(alert) : null,
    alert ? quote(alert.description) : paragraphs(message.lines),
    url === null ? null : { type: 'section', text: markdown(url) },
  ];
  return {
    text: `${inline(title)}${severity}`,
    blocks: blocks.filter((block) => block !== null),
  };
}

/** Returns the same message without blocks, for a webhook that refuses them. */
export function slackPlainMessage(message: Message): { text: string } {
  const { alert, link, lines } = message;
  const url = link ? slackLink(link.url, link.label) : null;
  const parts = [
    inline(message.title) || 'Tierwatch',
    codeBlock(alert ? alert.description : lines.join('\n\n')),
    url,
  ];
  return { text: parts.filter((part) => part !== null).join('\n') };
}

/** Returns text in which Slack finds no mention, link or entity of its own. */
export function escapeSlack(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}

/** Cuts escaped text, with `…` if something was left out; never inside an entity or a character. */
export function cutEscaped(escaped: string, chars: number): string {
  if (escaped.length <= chars) return escaped;
  const kept = escaped.slice(0, chars - 1).replace(/[\ud800-\udbff]$/, '');
  return `${kept.replace(/&[^;]*$/, '')}…`;
}

function factsOf({ project, services, startedAt, resolvedAt }: AlertSubject): Block {
  const fields = [
    ...(project ? [field('Project', inline(project.name))] : []),
    ...(services.length > 0
      ? [field(services.length === 1 ? 'Service' : 'Services', inline(services.join(', ')))]
      : []),
    field('Since', slackDate(startedAt)),
    ...(resolvedAt ? [field('Resolved', slackDate(resolvedAt))] : []),
  ];
  return { type: 'section', fields };
}

function field(name: string, value: string): Markdown {
  return markdown(`*${name}*\n${value}`);
}

/** One line of escaped text that opens no code span. */
function inline(text: string): string {
  return cutEscaped(escapeSlack(oneLine(text).replaceAll('`', "'")), MAX_CHARS.field);
}

/** Each reader sees the time in their own time zone; the part after `|` is for older clients. */
function slackDate(iso: string): string {
  const at = new Date(iso);
  const fallback = `${at.toISOString().slice(0, 16).replace('T', ' ')} UTC`;
  return `<!date^${Math.floor(at.getTime() / 1_000)}^{date_short_pretty} {time}|${fallback}>`;
}

function quote(untrusted: string): Block | null {
  const text = codeBlock(untrusted);
  return text === null ? null : { type: 'section', text: markdown(text) };
}

/** Text of other systems can't leave its block: it contains no backtick. Null without any text. */
function codeBlock(untrusted: string): string | null {
  const text = withoutHidden(untrusted).replaceAll('`', "'");
  if (text.trim() === '') return null;
  const cut = cutEscaped(escapeSlack(text), MAX_CHARS.section - 2 * FENCE.length);
  return `${FENCE}${cut}${FENCE}`;
}

/** Plain text has no markup and no mentions, so it isn't escaped. */
function paragraphs(lines: readonly string[]): Block | null {
  const text = withoutHidden(lines.join('\n\n')).trim();
  if (text === '') return null;
  return { type: 'section', text: plain(cutText(text, MAX_CHARS.section)) };
}

/** `<url|label>`; null if it isn't a web address. A link button would need an app of its own. */
function slackLink(address: string, label: string): string | null {
  const url = webUrl(address);
  if (!url) return null;
  const href = escapeSlack(url.href.replaceAll('|', '%7C'));
  return href.length > MAX_CHARS.link ? null : `<${href}|${inline(label)}>`;
}

function plain(text: string): PlainText {
  return { type: 'plain_text', text, emoji: false };
}

function markdown(text: string): Markdown {
  return { type: 'mrkdwn', text, verbatim: true };
}

/** What the error codes of a webhook mean, for people. */
const REASONS: Readonly<Record<string, string>> = {
  action_prohibited: 'an admin of the workspace restricts who can post there',
  channel_is_archived: 'the channel is archived',
  channel_not_found: 'the channel no longer exists',
  invalid_payload: 'Slack couldn’t read the message',
  invalid_token: 'the webhook’s token isn’t valid',
  no_service: 'the webhook was removed, or the person who added it was deactivated',
  no_text: 'Slack found no text in the message',
  user_not_found: 'the webhook’s recipient doesn’t exist',
};
/** The webhook is unusable until someone changes something in Slack. */
const GONE = new Set([403, 404, 410]);

/**
 * Interprets the answer of a webhook. Only 200 with the body `ok` accepts a message. 403, 404 and
 * 410 mean that the webhook itself is unusable, and 400 that it refuses this message.
 */
export function slackResult(result: OutboundResult): SendResult {
  const sent = httpSendResult(result);
  if (!result.ok) return sent;
  const { status, bodyText } = result;
  const code = bodyText.trim();
  if (sent.isTaken) {
    if (status === 200 && code === 'ok') return sent;
    return {
      ...sent,
      isTaken: false,
      error: 'unexpected_answer',
      text: `The address responded ${status}, but not with "ok" as a Slack webhook does. Check the URL. Its response: ${code}`,
    };
  }
  const reason = REASONS[code];
  return {
    ...sent,
    isPermanent: status === 400,
    isGone: GONE.has(status),
    text: reason ? `Slack responded ${status} ${code}: ${reason}.` : sent.text,
  };
}
