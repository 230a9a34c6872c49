/**
 * Sends what the spools of all attempts hold, by one stream of requests: one is in flight at a
 * time. The first event of a quiet spell goes at once, later ones are collected for up to 100 ms,
 * and an attempt's result waits for nothing but its own events, the last of which go with it.
 */
import { logger } from '@/lib/platform/logger';
import { backoffMs } from '../control-plane/backoff';
import { createWaker } from '../waker';
import type { AttemptSpool } from './attempt-spool';
import { createDelivery, type Delivery, type DeliveryOptions } from './delivery';

const COLLECT_MS = 100;
const RETRY = { firstMs: 250, maxMs: 5_000 };

export interface Uploader {
  add(spool: AttemptSpool): void;
  /** Says that a spool has something new. */
  wake(): void;
  answered: Delivery['answered'];
  /** Resolves once everything was acknowledged, or after `timeoutMs`. */
  drained(timeoutMs: number): Promise<void>;
  close(): Promise<void>;
}

export function startUploader(options: DeliveryOptions): Uploader {
  const work = createWaker();
  const settled = createWaker();
  const delivery = createDelivery({
    ...options,
    onSettled(attemptId) {
      options.onSettled(attemptId);
      settled.wake();
    },
  });
  let isClosed = false;
  let failures = 0;
  let lastSentAt = 0;

  const all = () => [...delivery.spools.values()];
  const hasWork = () =>
    all().some((spool) => spool.result !== null || spool.ackedSeq < spool.lastSeq);
  const isUrgent = () => all().some((spool) => spool.result !== null);

  /** Collects for a moment, unless an attempt has ended: the next tier waits for its result. */
  async function collect(): Promise<void> {
    while (!isClosed && !isUrgent()) {
      const left = lastSentAt + COLLECT_MS - Date.now();
      if (left <= 0) return;
      await work.woken(left);
    }
  }

  async function send(): Promise<void> {
    lastSentAt = Date.now();
    const hasSentResults = await delivery.sendResults();
    const hasSentEvents = await delivery.sendEvents();
    // A truncated spool file claims to have events and returns none.
    if (!hasSentEvents && !hasSentResults) await pause(COLLECT_MS);
  }

  async function run(): Promise<void> {
    while (!isClosed) {
      if (!hasWork()) {
        await work.woken();
        continue;
      }
      await collect();
      try {
        await send();
        if (failures > 0) logger.info('event upload recovered');
        failures = 0;
      } catch (error) {
        if (failures === 0)
          logger.warn({ error: String(error) }, 'event upload failed; events kept on disk');
        await pause(backoffMs(failures, RETRY, Math.random()));
        failures += 1;
      }
    }
  }

  /** FollowUp do not shorten it: an event is no reason to believe that the control plane is back. */
  async function pause(delayMs: number): Promise<void> {
    const until = Date.now() + delayMs;
    while (!isClosed && Date.now() < until) await work.woken(until - Date.now());
  }

  const running = run();

  return {
    add(spool) {
      delivery.add(spool);
      work.wake();
    },
    wake: () => work.wake(),
    answered: delivery.answered,
    async drained(timeoutMs) {
      const until = Date.now() + timeoutMs;
      while (delivery.spools.size > 0 && Date.now() < until) {
        await settled.woken(until - Date.now());
      }
    },
    async close() {
      isClosed = true;
      work.wake();
      await running;
    },
  };
}
