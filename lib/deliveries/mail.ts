import type { Mailer, MailResult } from '@/lib/platform/mail/client';
import { composeMail } from '@/lib/platform/mail/compose';
import { type Message, messageSchema } from './message';
import type { Prepared, SendResult } from './outbox/transport';

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
      text: 'This installation sends no e-mail: SMTP_URL is not set. Its operator can change that.',
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
