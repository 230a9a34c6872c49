import { env } from '@/lib/platform/env';
import type { Mailer } from '@/lib/platform/mail/client';
import { mailSending } from './mail';
import type { Transport } from './outbox/transport';

/** The ways of sending that the operator of this installation has configured. */
export interface WaysOut {
  /** SMTP_URL is set. */
  hasMail: boolean;
  /** APPRISE_URL is set, so a channel doesn't have to name a server. */
  hasApprise: boolean;
}

export function findWaysOut(): WaysOut {
  const { smtpUrl, appriseUrl } = env();
  return { hasMail: smtpUrl !== null, hasApprise: appriseUrl !== null };
}

const FOOTER = 'You get this as an admin or owner of the organization.';

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
