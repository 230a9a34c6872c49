import { env } from '@/lib/env';
import { logger } from '@/lib/logger';
import {
  connectQueues,
  type QueueBackend,
  type QueueConnection,
  type QueueHandle,
} from './backend';
import type { JobDefinition } from './jobs';

/** The queue of the control plane's own jobs. */
export const CONTROL_QUEUE = 'control';

const held = globalThis as unknown as {
  tierwatchQueues?: Partial<Record<'control' | 'runner', QueueConnection>>;
};

export function controlBackend(): QueueBackend {
  const { redisUrl, appDatabaseUrl } = env();
  return redisUrl ? { kind: 'redis', url: redisUrl } : { kind: 'postgres', url: appDatabaseUrl };
}

function queue(plane: 'control' | 'runner', name: string): QueueHandle {
  held.tierwatchQueues ??= {};
  held.tierwatchQueues[plane] ??= connectQueues(controlBackend(), plane);
  return held.tierwatchQueues[plane].queue(name);
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
  await ring(queue('control', CONTROL_QUEUE), job.name, payload, {
    jobId: job.id(payload),
    attempts: job.attempts,
    backoff: { type: 'exponential' as const, delay: job.backoffMs },
    delay: options.delayMs ?? 0,
  });
}

/** Tells the runners of one queue that an attempt waits. The job carries its id and nothing else. */
export async function ringRunnerQueue(queueName: string, attemptId: string): Promise<void> {
  await ring(
    queue('runner', queueName),
    'attempt',
    { attemptId },
    { jobId: attemptId, attempts: 1 },
  );
}

async function ring(
  target: QueueHandle,
  name: string,
  payload: unknown,
  options: Parameters<QueueHandle['add']>[2],
): Promise<void> {
  try {
    // Removed at the end, since a job that stays would swallow the next ring with its id.
    await target.add(name, payload, { ...options, removeOnComplete: true, removeOnFail: true });
  } catch (error) {
    logger.warn(
      { error: String(error), job: name },
      'a doorbell could not be rung; the sweep will',
    );
  }
}

export function controlQueue(): QueueHandle {
  return queue('control', CONTROL_QUEUE);
}

export async function closeQueues(): Promise<void> {
  const connections = Object.values(held.tierwatchQueues ?? {});
  held.tierwatchQueues = undefined;
  await Promise.all(connections.map((each) => each.close()));
}
