/**
 * Sends what the spools of all attempts hold, by two streams of requests with one in flight each:
 * events and results. The first event of a quiet spell goes at once, later ones are collected for
 * up to 100 ms. A result takes the last events of its attempt with it, so it waits for no request
 * with events: the control plane stores each number once, whichever request comes first. Once an
 * agent has printed its result, its events wait briefly, to be sent with the attempt's result.
 */
import { logger } from '@/lib/platform/logger';
import { backoffMs } from '../control-plane/retry-until-deadline';
import { createWaker } from '../waker';
import type { AttemptSpool } from './attempt-spool';
import { createDelivery, type Delivery, type DeliveryOptions, RESULT_SOON_MS } from './delivery';

const COLLECT_MS = 100;
const RETRY = { firstMs: 250, maxMs: 5_000 };

export interface Uploader {
  add(spool: AttemptSpool): void;
  /** Says that a spool has something new. */
  wake(): void;
  expectResult: Delivery['expectResult'];
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
  let lastSentAt = 0;

  /** Collects for a moment, unless an attempt has ended: the next tier waits for its result. */
  async function collect(): Promise<void> {
    while (!isClosed && !delivery.isUrgent()) {
      const left = lastSentAt + COLLECT_MS - Date.now();
      if (left <= 0) return;
      await work.woken(left);
    }
  }

  async function sendEvents(): Promise<void> {
    await collect();
    lastSentAt = Date.now();
    // A truncated spool file claims to have events and returns none.
    if (!(await delivery.sendEvents())) await pause(COLLECT_MS);
  }

  async function runLane(hasWork: () => boolean, send: () => Promise<void>): Promise<void> {
    let failures = 0;
    while (!isClosed) {
      if (!hasWork()) {
        await work.woken();
        continue;
      }
      try {
        await send();
        if (failures > 0) logger.info('upload recovered');
        failures = 0;
      } catch (error) {
        if (failures === 0)
          logger.warn({ error: String(error) }, 'upload failed; events and results kept on disk');
        await pause(backoffMs(failures, RETRY, Math.random()));
        failures += 1;
      }
      // With fewer events left a result may go, and one that was refused may need its events first.
      work.wake();
    }
  }

  /** Not shortened by new events: they are no reason to believe that the control plane is back. */
  async function pause(delayMs: number): Promise<void> {
    const until = Date.now() + delayMs;
    while (!isClosed && Date.now() < until) await work.woken(until - Date.now());
  }

  const lanes = [
    runLane(delivery.hasEvents, sendEvents),
    runLane(delivery.hasResults, delivery.sendResults),
  ];

  return {
    add(spool) {
      delivery.add(spool);
      work.wake();
    },
    wake: () => work.wake(),
    expectResult(attemptId) {
      delivery.expectResult(attemptId);
      setTimeout(() => work.wake(), RESULT_SOON_MS + 1).unref();
    },
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
      await Promise.all(lanes);
    },
  };
}
