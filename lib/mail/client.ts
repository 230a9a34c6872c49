import { env } from '@/lib/env';
import { logger } from '@/lib/logger';
import type { Mail } from './message';
import { sendBySmtp } from './smtp/client';

/** Whether the operator has named a mail server. Without one links are shown instead of sent. */
export function isMailConfigured(): boolean {
  return env().smtpUrl !== null;
}

/** Never rejects: `problem` is a sentence for whoever wanted the mail to be sent. */
export async function sendMail(mail: Mail): Promise<{ ok: true } | { ok: false; problem: string }> {
  const { smtpUrl, mailFrom, publicUrl } = env();
  if (!smtpUrl) return { ok: false, problem: 'No mail server is set (SMTP_URL).' };
  try {
    await sendBySmtp(smtpUrl, mailFrom ?? `tierwatch@${new URL(publicUrl).hostname}`, mail);
    return { ok: true };
  } catch (error) {
    const problem = error instanceof Error ? error.message : String(error);
    logger.warn({ problem }, 'a mail was not sent');
    return { ok: false, problem };
  }
}
