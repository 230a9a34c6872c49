/**
 * Takes jobs off any number of queues without waiting for one, over a connection that all of them
 * share. BullMQ's workers otherwise each hold one to wait on; here the caller decides when to
 * check.
 */
import { randomUUID } from 'node:crypto';
import {
  type BackendFactory,
  createPostgresBackend,
  createRedisBackend,
  type IQueueBackend,
  type Job,
  type Worker,
  withBackend,
} from 'bullmq';
import { Redis } from 'ioredis';
import { logger } from '../logger';
import { closeShared, NAMESPACE, type Plane, type QueueBackend, sharedConnection } from './backend';

/** A queue that hasn't been requested for this long is forgotten. */
const FORGOTTEN_AFTER_MS = 120_000;
/**
 * A process that died with a claimed job blocks its id from being enqueued again until the job is
 * put back.
 */
const STALLED_CHECK_MS = 60_000;

export interface Taker {
  /** The payload of the oldest job, which is off the queue; null when there is none. */
  take(queueName: string): Promise<unknown>;
  close(): Promise<void>;
}

interface Known {
  worker: Pick<Worker, 'getNextJob' | 'close'>;
  usedAt: number;
}

export function openTaker(backend: QueueBackend, plane: Plane): Taker {
  const shared = sharedConnection(backend, plane);
  const token = randomUUID();
  const known = new Map<string, Known>();
  const forgetting = setInterval(forgetUnused, FORGOTTEN_AFTER_MS);
  forgetting.unref();

  function workerOf(queueName: string): Known['worker'] {
    const found = known.get(queueName) ?? { worker: open(queueName), usedAt: 0 };
    found.usedAt = Date.now();
    known.set(queueName, found);
    return found.worker;
  }

  function open(queueName: string): Known['worker'] {
    const options = { autorun: false, stalledInterval: STALLED_CHECK_MS };
    const worker =
      shared instanceof Redis
        ? new onRedis.Worker(queueName, null, {
            ...options,
            connection: shared,
            prefix: NAMESPACE[plane],
          })
        : new onPostgres.Worker(queueName, null, { ...options, connection: shared });
    worker.on('error', (error) =>
      logger.warn({ queue: queueName, error: error.message }, 'queue error'),
    );
    void worker.startStalledCheckTimer();
    return worker;
  }

  function forgetUnused(): void {
    for (const [queueName, { worker, usedAt }] of known) {
      if (Date.now() - usedAt < FORGOTTEN_AFTER_MS) continue;
      known.delete(queueName);
      worker.close().catch(() => {});
    }
  }

  return {
    async take(queueName) {
      const job: Job | undefined = await workerOf(queueName).getNextJob(token, { block: false });
      if (!job) return null;
      await job.moveToCompleted(null, token, false);
      return job.data;
    },
    async close() {
      clearInterval(forgetting);
      await Promise.all([...known.values()].map(({ worker }) => worker.close(true)));
      await closeShared(shared);
    },
  };
}

/** Without the connection of its own that a worker waits on. */
function withoutWaiting<B extends IQueueBackend, C>(
  factory: BackendFactory<B, C>,
): BackendFactory<B, C> {
  return (name, options) => factory(name, options);
}

const onPostgres = withBackend(withoutWaiting(createPostgresBackend));
const onRedis = withBackend(withoutWaiting(createRedisBackend));
