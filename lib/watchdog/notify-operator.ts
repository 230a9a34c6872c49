/** One message to the operator when a problem begins, and one when it is over. */

import { inSystemTransaction } from '@/lib/platform/db/global-db';
import { env } from '@/lib/platform/env';
import { logger } from '@/lib/platform/logger';
import { findMailer, type Mailer } from '@/lib/platform/mail';
import { claimMessages, markSent } from './data';
import { messageAbout } from './message';

/** A message that isn't sent by then is tried again, possibly by another process. */
const RETRY_SECONDS = 60;
const REASON = 'messages about problems of the installation';

/**
 * Sends the messages that are due to TIERWATCH_OPERATOR_EMAIL. If a process dies while it sends, the
 * message is sent again, under the same Message-ID.
 *
 * @returns how many were sent; 0 without an address
 */
export async function notifyOperator(
  now = new Date(),
  mailer: Mailer | null = findMailer(),
): Promise<number> {
  const { operatorEmail, publicUrl } = env();
  if (operatorEmail === null || mailer === null) return 0;
  const claimed = await inSystemTransaction(REASON, (query) =>
    claimMessages(query, RETRY_SECONDS, now),
  );
  let sent = 0;
  for (const problem of claimed) {
    const result = await mailer.send({ to: [operatorEmail], ...messageAbout(problem, publicUrl) });
    if (!result.ok) {
      logger.warn({ reason: result.reason, problem: result.message }, 'operator not notified');
      continue;
    }
    await inSystemTransaction(REASON, (query) => markSent(query, problem, now));
    sent += 1;
  }
  return sent;
}
