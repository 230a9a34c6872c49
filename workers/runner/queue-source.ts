/**
 * Attempts from BullMQ. Jobs are fetched one by one, so that how many run at once is bounded by what
 * is fetched, and a job is off the queue before its agent has done anything.
 */
import { randomUUID } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import type { Job } from 'bullmq';
import { z } from 'zod';
import { logger } from '@/lib/platform/logger';
import {
  closeFetchingWorker,
  createWorker,
  type QueueBackend,
  type WorkerHandle,
} from '@/lib/platform/queue/backend';
import type { AttemptSource, Ticket } from './claim-loop';

/** A queue that is away cannot be taken leave of. */
const CLOSE_WITHIN_MS = 3_000;

const payloadSchema = z.object({ attemptId: z.string().min(1) });

interface Waiter {
  resolve(ticket: Ticket | null): void;
  reject(error: unknown): void;
}

/** Takes from whichever queue has something first. */
export function openQueueSource(backend: QueueBackend, queues: readonly string[]): AttemptSource {
  const token = randomUUID();
  const workers = queues.map((name) => openWorker(backend, name));
  const fetching = new Map<WorkerHandle, Promise<void>>();
  let waiter: Waiter | null = null;
  let isClosed = false;

  function settle(how: (waiter: Waiter) => void): boolean {
    const waiting = waiter;
    waiter = null;
    if (waiting) how(waiting);
    return waiting !== null;
  }

  async function hand(job: Job): Promise<void> {
    const payload = payloadSchema.safeParse(job.data);
    const done = () => job.moveToCompleted(null, token, false).then(() => {});
    if (!payload.success) {
      logger.warn({ job: job.id }, 'job without an attempt removed');
      return done();
    }
    const { attemptId } = payload.data;
    // Two queues can answer at once. What comes second goes back: another runner may be free.
    if (!settle((waiting) => waiting.resolve({ attemptId, done }))) await job.moveToWait(token);
  }

  async function fetchFrom(worker: WorkerHandle): Promise<void> {
    try {
      while (waiter && !isClosed) {
        const job = await worker.getNextJob(token, { block: true });
        if (job) await hand(job);
      }
    } catch (error) {
      settle((waiting) => waiting.reject(error));
    } finally {
      fetching.delete(worker);
    }
  }

  return {
    next(signal) {
      if (signal.aborted || isClosed) return Promise.resolve(null);
      return new Promise<Ticket | null>((resolve, reject) => {
        const giveUp = () => settle((waiting) => waiting.resolve(null));
        signal.addEventListener('abort', giveUp, { once: true });
        const leave = () => signal.removeEventListener('abort', giveUp);
        waiter = {
          resolve(ticket) {
            leave();
            resolve(ticket);
          },
          reject(error) {
            leave();
            reject(error);
          },
        };
        for (const worker of workers) {
          if (!fetching.has(worker)) fetching.set(worker, fetchFrom(worker));
        }
      });
    },
    async close() {
      isClosed = true;
      settle((waiting) => waiting.resolve(null));
      const ended = workers.map((each) => closeFetchingWorker(each, fetching.get(each)));
      await Promise.race([Promise.all(ended), wait(CLOSE_WITHIN_MS, undefined, { ref: false })]);
    },
  };
}

function openWorker(backend: QueueBackend, name: string): WorkerHandle {
  const worker = createWorker(backend, 'runner', name, null);
  worker.on('error', (error) => logger.warn({ queue: name, error: error.message }, 'queue error'));
  // A job whose runner died before it was taken off would otherwise block later ones.
  void worker.startStalledCheckTimer();
  return worker;
}
