import { sql } from 'kysely';
import { z } from 'zod';
import { lookedUp } from '../db/sql';
import { env } from '../env';
import { logger } from '../logger';
import { LateError, within } from '../within';
import {
  connectQueues,
  type PlacedJob,
  type QueueBackend,
  type QueueConnection,
  type QueueHandle,
} from './backend';
import type { JobDefinition } from './jobs';
import { openTaker, type Taker } from './taker';

/** The queue of the control plane's own jobs. */
export const CONTROL_QUEUE = 'control';
/** The queue of messages that leave. */
export const DELIVERY_QUEUE = 'deliveries';

const held = globalThis as unknown as {
  tierwatchQueues?: Partial<Record<'control' | 'runner', QueueConnection>>;
  tierwatchTaker?: Taker | undefined;
  /** Epoch milliseconds; see REST_MS. */
  tierwatchQueueAwayUntil?: number;
};

/** Commands for a Redis that is away wait in its client until it is back; nobody waits with them. */
const RESPONSE_MS = 1_000;
/** After that, nothing is enqueued for this time: a request with many jobs waits only once. */
const REST_MS = 2_000;

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
 * Enqueues a job for a row that is already committed. A failure is only logged: the sweep finds the
 * row and enqueues it again.
 */
export async function enqueue<Payload>(
  job: JobDefinition<Payload>,
  payload: Payload,
  options: { delayMs?: number } = {},
): Promise<void> {
  const { queueName, name, data, opts } = placed(job, payload);
  await tryToEnqueue(name, () =>
    queue('control', queueName).add(name, data, { ...opts, delay: options.delayMs ?? 0 }),
  );
}

/** Enqueues jobs for any number of committed rows in one round trip. Failures are only logged. */
export async function enqueueMany<Payload>(
  job: JobDefinition<Payload>,
  payloads: readonly Payload[],
): Promise<void> {
  await tryToEnqueue(job.name, () =>
    connection('control').addAll(payloads.map((payload) => placed(job, payload))),
  );
}

function placed<Payload>(job: JobDefinition<Payload>, payload: Payload): PlacedJob {
  const opts = {
    jobId: job.id(payload),
    attempts: job.attempts,
    backoff: { type: 'exponential' as const, delay: job.backoffMs },
    ...REMOVED_AT_THE_END,
  };
  return { queueName: job.queue ?? CONTROL_QUEUE, name: job.name, data: payload, opts };
}

/** Tells the runners of one queue that an attempt waits. The job carries its id and nothing else. */
export async function enqueueAttempt(queueName: string, attemptId: string): Promise<void> {
  const { name, data, opts } = attemptJob({ queueName, attemptId });
  await tryToEnqueue(name, async () => {
    await queue('runner', queueName).add(name, data, opts);
    await notifyQueues([queueName]);
  });
}

/** Enqueues any number of attempts on any queues in one round trip. */
export async function enqueueAttempts(
  waiting: readonly { queueName: string; attemptId: string }[],
): Promise<void> {
  await tryToEnqueue('attempt', async () => {
    await connection('runner').addAll(waiting.map(attemptJob));
    await notifyQueues(waiting.map(({ queueName }) => queueName));
  });
}

function attemptJob({ queueName, attemptId }: { queueName: string; attemptId: string }): PlacedJob {
  const opts = { jobId: attemptId, attempts: 1, ...REMOVED_AT_THE_END };
  return { queueName, name: 'attempt', data: { attemptId }, opts };
}

// A job that stays would swallow the next one with its id.
const REMOVED_AT_THE_END = { removeOnComplete: true, removeOnFail: true };

async function tryToEnqueue(name: string, add: () => Promise<unknown>): Promise<void> {
  if (Date.now() < (held.tierwatchQueueAwayUntil ?? 0)) return;
  try {
    await (controlBackend().kind === 'redis' ? within(RESPONSE_MS, add()) : add());
  } catch (error) {
    if (error instanceof LateError) held.tierwatchQueueAwayUntil = Date.now() + REST_MS;
    logger.warn(
      { error: String(error), job: name },
      'enqueue failed; the sweep will enqueue the job',
    );
  }
}

/**
 * Takes the oldest job off a runners' queue.
 *
 * @returns its attempt's UUID; null if the queue is empty. If the caller dies right after it, the
 *   sweep enqueues the attempt again.
 */
export async function takeAttemptJob(queueName: string): Promise<string | null> {
  held.tierwatchTaker ??= openTaker(controlBackend(), 'runner');
  const data = await held.tierwatchTaker.take(queueName);
  return attemptPayload.safeParse(data).data?.attemptId ?? null;
}

const attemptPayload = z.object({ attemptId: z.string().min(1) });

export function controlQueue(): QueueHandle {
  return queue('control', CONTROL_QUEUE);
}

/** Resolves once the queue has responded; while Redis is away, that is when it's back. */
export function pingQueue(): Promise<void> {
  return connection('control').ping();
}

export async function closeQueues(): Promise<void> {
  const connections = [...Object.values(held.tierwatchQueues ?? {}), held.tierwatchTaker];
  held.tierwatchQueues = undefined;
  held.tierwatchTaker = undefined;
  await Promise.all(connections.map((each) => each?.close()));
}

/** A job for rows that a transaction has written: enqueued once that is committed. */
export interface PendingJob {
  readonly name: string;
  readonly payload: unknown;
  enqueue(): Promise<void>;
}

export function pendingJob<Payload>(job: JobDefinition<Payload>, payload: Payload): PendingJob {
  return { name: job.name, payload, enqueue: () => enqueue(job, payload) };
}

/**
 * Call it only after the commit, since a worker may start immediately. The sweep enqueues jobs that
 * fail here.
 */
export async function enqueueAll(jobs: readonly PendingJob[]): Promise<void> {
  for (const job of jobs) await job.enqueue();
}

/** PostgreSQL accepts payloads below 8,000 bytes; a queue's name has at most 39. */
const QUEUES_PER_HINT = 150;

/** Wakes the requests that are held open for attempts of these queues. */
async function notifyQueues(queues: readonly string[]): Promise<void> {
  const names = [...new Set(queues)];
  const hints: string[] = [];
  for (let at = 0; at < names.length; at += QUEUES_PER_HINT) {
    hints.push(JSON.stringify({ t: 'q', queues: names.slice(at, at + QUEUES_PER_HINT) }));
  }
  if (hints.length === 0) return;
  await lookedUp(
    sql`select app.send_hint(hint::json)::text as sent from unnest(${hints}::text[]) as hint`,
  );
}
