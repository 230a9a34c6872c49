import type { Transport } from '@/lib/deliveries/webhooks/deliveries/transport';
import type { Mailer } from '@/lib/platform/mail/client';
import { mailSending } from '../mail';

const FOOTER = 'You get this as an admin or owner of the organization.';

/** Sends to the mailboxes that the delivery itself names. Nothing is known about them afterwards. */
export function adminMailTransport(mailer: Mailer | null): Transport {
  return {
    prepare: async (_db, delivery) => mailSending(mailer, delivery, delivery.mailTo, FOOTER),
    recipientState: async () => ({ failingSince: null }),
    applyStep: async () => [],
  };
}
