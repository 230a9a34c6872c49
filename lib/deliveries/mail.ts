import { env } from '@/lib/platform/env';
import { visibleText } from '@/lib/platform/format/visible-text';
import type { Mailer, MailResult } from '@/lib/platform/mail';
import { type Message, messageSchema } from './message';
import type { Prepared, SendResult, Transport } from './outbox/transport';

/** Prepares a stored message as an e-mail, or returns why the installation can't send it. */
export function mailSending(
  mailer: Mailer | null,
  delivery: { id: string; body: string },
  to: readonly string[],
  footer: string,
): Prepared {
  if (!mailer) {
    return {
      kind: 'unusable',
      error: 'no_mail_server',
      text: 'This installation can’t send e-mail because SMTP_URL is not set. Ask its operator to set it.',
    };
  }
  const message: Message = messageSchema.parse(JSON.parse(delivery.body));
  const mail = { ...composeMail({ ...message, footer }), id: delivery.id, to };
  return {
    kind: 'ready',
    headers: { to: to.join(', '), subject: mail.subject, 'message-id': delivery.id },
    send: async () => sendResultOf(await mailer.send(mail)),
  };
}

function sendResultOf(result: MailResult): SendResult {
  return {
    isTaken: result.ok,
    status: result.status,
    error: result.ok ? null : result.reason,
    isPermanent: !result.ok && result.isPermanent,
    isGone: false,
    retryAfter: null,
    text: result.message,
    responseHeaders: {},
    durationMs: result.durationMs,
  };
}

/** The ways of sending that the operator of this installation has configured. */
export interface NotificationTransports {
  /** SMTP_URL is set. */
  hasMail: boolean;
  /** APPRISE_URL is set, so a channel doesn't have to name a server. */
  hasApprise: boolean;
}

export function getConfiguredTransports(): NotificationTransports {
  const { smtpUrl, appriseUrl } = env();
  return { hasMail: smtpUrl !== null, hasApprise: appriseUrl !== null };
}

const FOOTER = 'You received this message because you are an admin or owner of the organization.';

/**
 * Sends to the addresses that the delivery itself names. No state is kept about these recipients.
 */
export function adminMailTransport(mailer: Mailer | null): Transport {
  return {
    prepare: async (_db, delivery) => mailSending(mailer, delivery, delivery.mailTo, FOOTER),
    recipientState: async () => ({ failingSince: null }),
    applyStep: async () => [],
  };
}

interface MailContent {
  title: string;
  /** Paragraphs of plain text. */
  lines: readonly string[];
  link: { url: string; label: string } | null;
  /** Why the reader gets this. */
  footer: string;
}

interface ComposedMail {
  subject: string;
  text: string;
  html: string;
}

/**
 * Returns a message in plain text and in simple HTML without images, external styles or tracking.
 */
export function composeMail(content: MailContent): ComposedMail {
  const { link } = content;
  const title = visibleText(content.title);
  const lines = content.lines.map(visibleText);
  const footer = visibleText(content.footer);
  return {
    subject: oneLine(title),
    text: [...lines, ...(link ? [`${link.label}: ${link.url}`] : []), `-- \n${footer}`].join(
      '\n\n',
    ),
    html: [
      '<!doctype html><html lang="en"><head><meta charset="utf-8">',
      `<title>${escapeHtml(title)}</title></head>`,
      '<body style="font:14px/20px system-ui,sans-serif;max-width:38rem;margin:24px auto;padding:0 16px">',
      `<h1 style="font-size:18px;line-height:26px">${escapeHtml(title)}</h1>`,
      ...lines.map((line) => `<p>${escapeHtml(line)}</p>`),
      ...(link ? [`<p><a href="${escapeHtml(link.url)}">${escapeHtml(link.label)}</a></p>`] : []),
      `<p style="color:#64686f;font-size:12px;line-height:16px">${escapeHtml(footer)}</p>`,
      '</body></html>',
    ].join('\n'),
  };
}

/** What is written in a subject must not begin a header of its own. */
function oneLine(text: string): string {
  return text.replace(/\s+/g, ' ').trim();
}

const ENTITIES: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (sign) => ENTITIES[sign] ?? sign);
}
