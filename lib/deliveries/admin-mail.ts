import { env } from '@/lib/platform/env';
import type { Mailer } from '@/lib/platform/mail/client';
import { mailSending } from './mail';
import type { Transport } from './outbox/transport';

/** What the operator of this installation has set up for notifications. */
export interface WaysOut {
  /** SMTP_URL is set. */
  hasMail: boolean;
  /** APPRISE_URL is set, so a channel need not name a server. */
  hasApprise: boolean;
}

export function findWaysOut(): WaysOut {
  const { smtpUrl, appriseUrl } = env();
  return { hasMail: smtpUrl !== null, hasApprise: appriseUrl !== null };
}

const FOOTER = 'You get this as an admin or owner of the organization.';

/** Sends to the mailboxes that the delivery itself names. Nothing is known about them afterwards. */
export function adminMailTransport(mailer: Mailer | null): Transport {
  return {
    prepare: async (_db, delivery) => mailSending(mailer, delivery, delivery.mailTo, FOOTER),
    recipientState: async () => ({ failingSince: null }),
    applyStep: async () => [],
  };
}
