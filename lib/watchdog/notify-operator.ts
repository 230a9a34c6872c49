/** One message to the operator when a problem begins, and one when it is over. */

import { env } from '@/lib/platform/env';
import { logger } from '@/lib/platform/logger';
import { findMailer, type Mailer } from '@/lib/platform/mail';
import { claimMessage, markSent, markUnsent } from './data';
import { messageAbout } from './message';

/** How long one message may take, in milliseconds: a server that answers a byte a second never ends. */
const SEND_TIMEOUT_MS = 45_000;
/** A message that isn't sent by then is tried again, possibly by another process. Longer than it may take. */
const RETRY_SECONDS = 60;
const AT_ONCE = 20;

/**
 * Sends the messages that are due to TIERWATCH_OPERATOR_EMAIL, until one fails. Each is recorded before it is
 * sent and afterwards. If the process dies in between, or the mail server takes a message and never says so, the
 * message is repeated once, under the same Message-ID.
 *
 * @returns how many were sent; 0 without an address
 */
export async function notifyOperator(
  now = new Date(),
  mailer: Mailer | null = findMailer(),
  timeoutMs = SEND_TIMEOUT_MS,
): Promise<number> {
  const { operatorEmail, publicUrl } = env();
  if (operatorEmail === null || mailer === null) return 0;
  for (let sent = 0; sent < AT_ONCE; sent += 1) {
    // One by one, so that a slow server doesn't keep claims until another process takes them.
    const problem = await claimMessage(RETRY_SECONDS, now);
    if (!problem) return sent;
    const mail = { to: [operatorEmail], ...messageAbout(problem, publicUrl) };
    const result = await within(timeoutMs, mailer.send(mail));
    if (!result.ok) {
      const { reason, message, mayHaveArrived } = result;
      logger.warn({ reason, problem: message, mayHaveArrived }, 'operator not notified');
      if (!mayHaveArrived) await markUnsent(problem);
      return sent;
    }
    await markSent(problem, now);
  }
  return AT_ONCE;
}

type Sending = ReturnType<Mailer['send']>;

/** Gives up waiting for the end of a sending. What the server does with it is then unknown. */
async function within(timeoutMs: number, sending: Sending): Promise<Awaited<Sending>> {
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<Awaited<Sending>>((resolve) => {
    timer = setTimeout(() => {
      const message = 'The mail server took too long.';
      const failure = { reason: 'connection_timeout', message, status: null } as const;
      const unknown = { isPermanent: false, mayHaveArrived: true, durationMs: timeoutMs };
      resolve({ ok: false, ...failure, ...unknown });
    }, timeoutMs);
  });
  try {
    return await Promise.race([sending, timeout]);
  } finally {
    clearTimeout(timer);
  }
}
