import { env } from '@/lib/platform/env';

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
