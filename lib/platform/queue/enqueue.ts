import { z } from 'zod';
import { env } from '../env';
import { logger } from '../logger';
import {
  connectQueues,
  type PlacedJob,
  type QueueBackend,
  type QueueConnection,
  type QueueHandle,
} from './backend';
import type { JobDefinition } from './jobs';
import { notifyQueues } from './runner-queues';
import { openTaker, type Taker } from './taker';

/** The queue of the control plane's own jobs. */
export const CONTROL_QUEUE = 'control';
/** The queue of messages that leave. */
export const DELIVERY_QUEUE = 'deliveries';

const held = globalThis as unknown as {
  tierwatchQueues?: Partial<Record<'control' | 'runner', QueueConnection>>;
  tierwatchTaker?: Taker | undefined;
};

export function controlBackend(): QueueBackend {
  const { redisUrl, appDatabaseUrl } = env();
  return redisUrl ? { kind: 'redis', url: redisUrl } : { kind: 'postgres', url: appDatabaseUrl };
}

function connection(plane: 'control' | 'runner'): QueueConnection {
  held.tierwatchQueues ??= {};
  held.tierwatchQueues[plane] ??= connectQueues(controlBackend(), plane);
  return held.tierwatchQueues[plane];
}

function queue(plane: 'control' | 'runner', name: string): QueueHandle {
  return connection(plane).queue(name);
}

/**
 * Rings for a row that is already committed. A doorbell that cannot be rung is only logged: the
 * sweep finds the row and rings again.
 */
export async function enqueue<Payload>(
  job: JobDefinition<Payload>,
  payload: Payload,
  options: { delayMs?: number } = {},
): Promise<void> {
  await tryToRing(job.name, () =>
    queue('control', job.queue ?? CONTROL_QUEUE).add(job.name, payload, {
      jobId: job.id(payload),
      attempts: job.attempts,
      backoff: { type: 'exponential' as const, delay: job.backoffMs },
      delay: options.delayMs ?? 0,
      ...REMOVED_AT_THE_END,
    }),
  );
}

/** Tells the runners of one queue that an attempt waits. The job carries its id and nothing else. */
export async function ringRunnerQueue(queueName: string, attemptId: string): Promise<void> {
  const { name, data, opts } = attemptJob({ queueName, attemptId });
  await tryToRing(name, async () => {
    await queue('runner', queueName).add(name, data, opts);
    await notifyQueues([queueName]);
  });
}

/** The same for any number of attempts and queues, in one round trip. */
export async function ringRunnerQueues(
  rings: readonly { queueName: string; attemptId: string }[],
): Promise<void> {
  await tryToRing('attempt', async () => {
    await connection('runner').addAll(rings.map(attemptJob));
    await notifyQueues(rings.map(({ queueName }) => queueName));
  });
}

function attemptJob({ queueName, attemptId }: { queueName: string; attemptId: string }): PlacedJob {
  const opts = { jobId: attemptId, attempts: 1, ...REMOVED_AT_THE_END };
  return { queueName, name: 'attempt', data: { attemptId }, opts };
}

// A job that stays would swallow the next ring with its id.
const REMOVED_AT_THE_END = { removeOnComplete: true, removeOnFail: true };

async function tryToRing(name: string, ring: () => Promise<unknown>): Promise<void> {
  try {
    await ring();
  } catch (error) {
    logger.warn(
      { error: String(error), job: name },
      'a doorbell could not be rung; the sweep will',
    );
  }
}

/**
 * The oldest doorbell of a runners' queue, off the queue: its attempt's id, null when none hangs
 * there. Whoever dies right after it has lost a ring, which the sweep repeats.
 */
export async function takeDoorbell(queueName: string): Promise<string | null> {
  held.tierwatchTaker ??= openTaker(controlBackend(), 'runner');
  const data = await held.tierwatchTaker.take(queueName);
  return attemptPayload.safeParse(data).data?.attemptId ?? null;
}

const attemptPayload = z.object({ attemptId: z.string().min(1) });

export function controlQueue(): QueueHandle {
  return queue('control', CONTROL_QUEUE);
}

export async function closeQueues(): Promise<void> {
  const connections = [...Object.values(held.tierwatchQueues ?? {}), held.tierwatchTaker];
  held.tierwatchQueues = undefined;
  held.tierwatchTaker = undefined;
  await Promise.all(connections.map((each) => each?.close()));
}
