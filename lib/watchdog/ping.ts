/**
 * The dead man's switch: an outside monitor is requested while all is well, and alerts when that stops.
 * It is a recurring job of the worker, so that a request also proves that queue, worker and database work.
 */

import { setTimeout as sleep } from 'node:timers/promises';
import { env } from '@/lib/platform/env';
import { logger } from '@/lib/platform/logger';
import { createOutboundClient } from '@/lib/platform/outbound-http/client';
import { reasonsAgainstPing } from './judge';
import { watchdogPings } from './metrics';
import { measure } from './watch';

const TIMEOUT_MS = 5_000;
/** A lost packet shouldn't wake anyone. */
const RETRY_AFTER_MS = 2_000;

export type PingOutcome = 'off' | 'withheld' | 'sent' | 'failed';

/**
 * Requests TIERWATCH_WATCHDOG_URL by GET if all is well. The address is the operator's own, so that it may be
 * private; metadata addresses and redirects are refused.
 *
 * @throws Error while PostgreSQL is away: then nothing is sent
 */
export async function pingWatchdog(now = new Date()): Promise<PingOutcome> {
  const { watchdogUrl } = env();
  if (watchdogUrl === null) return 'off';
  const facts = await measure({ component: 'worker', since: now }, now);
  const reasons = reasonsAgainstPing(facts);
  if (reasons.length > 0) {
    logger.warn({ reasons }, 'watchdog not pinged: something is wrong');
    watchdogPings.add({ result: 'withheld' });
    return 'withheld';
  }
  const problem = (await request(watchdogUrl)) && (await requestAgain(watchdogUrl));
  watchdogPings.add({ result: problem === null ? 'sent' : 'failed' });
  if (problem === null) return 'sent';
  // Never the address: whoever knows it can keep the outside monitor quiet.
  logger.warn({ problem }, 'watchdog ping failed');
  return 'failed';
}

async function requestAgain(url: string): Promise<string | null> {
  await sleep(RETRY_AFTER_MS);
  return request(url);
}

/** @returns null if it was answered with 2xx; the reason otherwise */
async function request(url: string): Promise<string | null> {
  const result = await createOutboundClient({ allowPrivate: true }).request({
    url,
    method: 'GET',
    headers: { 'user-agent': 'Tierwatch-Watchdog' },
    timeoutMs: TIMEOUT_MS,
    maxResponseBytes: 1_024,
  });
  if (!result.ok) return result.reason;
  return result.status >= 200 && result.status < 300 ? null : `status ${result.status}`;
}
