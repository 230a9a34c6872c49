/**
 * The only place that knows which backend BullMQ runs on: Redis when REDIS_URL is set, otherwise
 * PostgreSQL. The runners' queues live apart from the control plane's, so that a runner's queue
 * credential can neither read nor forge a control job.
 */

import {
  type BackendFactory,
  createPostgresBackend,
  FlowProducer,
  type Job,
  type JobsOptions,
  type PostgresConnectionOptions,
  PostgresQueueBackend,
  type Processor,
  Queue,
  Worker,
  withBackend,
} from 'bullmq';
import { Redis } from 'ioredis';
import pg from 'pg';

// BullMQ on PostgreSQL notifies workers on one channel of the database, with the queue's name, and
// names their connections after their queue. Both would show each runner the queues of all others.
// In the runners' schema each queue has a channel of its own, whose name is the queue's: see
// `scripts/bootstrap/queue-schemas.mjs`.

interface Listening {
  connection: { getListenClient(): Promise<pg.Client> };
  ensureListening(): Promise<pg.Client>;
}

/** Where BullMQ's own backend expects its notifications. */
const SHARED_CHANNEL = (PostgresQueueBackend as unknown as { NOTIFY_CHANNEL: string })
  .NOTIFY_CHANNEL;

/**
 * Makes a backend that listens on its queue's own channel: the connection's setting
 * `tierwatch.queue`. The connection has no name.
 */
const createPrivateBackend: BackendFactory<PostgresQueueBackend, PostgresConnectionOptions> = (
  name,
  options,
) => {
  const backend = createPostgresBackend(name, options);
  const listening = backend as unknown as Listening;
  const subscribed = new WeakSet<pg.Client>();
  listening.ensureListening = async () => {
    const client = await listening.connection.getListenClient();
    if (subscribed.has(client)) return client;
    await client.query('select listen_to_queue()');
    subscribed.add(client);
    client.on('notification', (message) => {
      if (message.channel !== name) return;
      client.emit('notification', { ...message, channel: SHARED_CHANNEL, payload: name });
    });
    return client;
  };
  return backend;
};

export type Plane = 'control' | 'runner';

/** PostgreSQL schema or Redis prefix of each plane. */
export const NAMESPACE: Record<Plane, string> = { control: 'bullmq', runner: 'bullmq_runner' };

export type QueueBackend =
  | { kind: 'postgres'; url: string; maxConnections?: number }
  | { kind: 'redis'; url: string };

export interface QueueHandle {
  add(name: string, data: unknown, options: JobsOptions & { jobId: string }): Promise<unknown>;
  upsertJobScheduler(
    id: string,
    repeat: { every: number },
    template: { name: string; opts: JobsOptions },
  ): Promise<unknown>;
  /** `next`: when it is due, in milliseconds since 1970. */
  getJobSchedulers(): Promise<{ key: string; next?: number }[]>;
  removeJobScheduler(id: string): Promise<unknown>;
  close(): Promise<void>;
  waitUntilReady(): Promise<unknown>;
}

/** A job and the queue that it goes to. */
export interface PlacedJob {
  queueName: string;
  name: string;
  data: unknown;
  opts: JobsOptions & { jobId: string };
}

export interface WorkerHandle {
  /** Puts jobs back whose worker died. A worker with a processor does this automatically. */
  startStalledCheckTimer(): Promise<void>;
  getNextJob(token: string, options?: { block?: boolean }): Promise<Job | undefined>;
  close(force?: boolean): Promise<void>;
  on(event: 'error', listener: (error: Error) => void): unknown;
  on(event: 'failed', listener: (job: Job | undefined, error: Error) => void): unknown;
  waitUntilReady(): Promise<unknown>;
}

const postgres = withBackend(createPostgresBackend);
const privatePostgres = withBackend(createPrivateBackend);

/** `queue`: the only one whose rows a runner's login sees, for it can name it. */
function postgresConnection(
  backend: { url: string; maxConnections?: number },
  plane: Plane,
  queue: string,
) {
  return {
    connectionString: backend.url,
    schema: NAMESPACE[plane],
    max: backend.maxConnections ?? 3,
    options: `-c tierwatch.queue=${queue}`,
  };
}

function redisConnection(url: string) {
  return { url, maxRetriesPerRequest: null };
}

/** One connection for all queues of a plane: there may be a queue for every pool and runner. */
export interface QueueConnection {
  queue(name: string): QueueHandle;
  /** Jobs of any number of queues in one round trip. One whose id is there already changes nothing. */
  addAll(jobs: PlacedJob[]): Promise<void>;
  /** Resolves once the backend has responded. */
  ping(): Promise<void>;
  close(): Promise<void>;
}

export function connectQueues(backend: QueueBackend, plane: Plane): QueueConnection {
  const queues = new Map<string, QueueHandle>();
  const shared = sharedConnection(backend, plane);
  let producer: FlowProducer | null = null;
  return {
    queue(name) {
      const known = queues.get(name);
      if (known) return known;
      const made =
        shared instanceof Redis
          ? new Queue(name, { connection: shared, prefix: NAMESPACE[plane] })
          : new postgres.Queue(name, { connection: shared });
      made.on('error', () => {});
      const handle = made as unknown as QueueHandle;
      queues.set(name, handle);
      return handle;
    },
    async addAll(jobs) {
      if (jobs.length === 0) return;
      // Not Queue.addBulk: on PostgreSQL it makes a sequence for the queue, which no role may.
      producer ??= makeProducer(shared, plane);
      await producer.addBulk(jobs);
    },
    async ping() {
      await (shared instanceof Redis ? shared.ping() : shared.query('select 1'));
    },
    async close() {
      await producer?.close();
      await Promise.all([...queues.values()].map((each) => each.close()));
      await closeShared(shared);
    },
  };
}

/** QUIT would wait for a Redis that is away. */
export async function closeShared(shared: Redis | pg.Pool): Promise<void> {
  if (!(shared instanceof Redis)) await shared.end();
  else if (shared.status === 'ready') await shared.quit();
  else shared.disconnect();
}

function makeProducer(shared: Redis | pg.Pool, plane: Plane): FlowProducer {
  const made =
    shared instanceof Redis
      ? new FlowProducer({ connection: shared, prefix: NAMESPACE[plane] })
      : new postgres.FlowProducer({ connection: shared });
  made.on('error', () => {});
  reportFailures(made as unknown as BatchOwner);
  return made as unknown as FlowProducer;
}

interface BatchOwner {
  backend: { addFlow(entries: unknown[]): Promise<readonly [error: Error | null, id: unknown][]> };
}

// A batch that fails comes back as results with the error in them, and BullMQ drops those.
function reportFailures({ backend }: BatchOwner): void {
  const add = backend.addFlow.bind(backend);
  backend.addFlow = async (entries) => {
    const results = await add(entries);
    for (const [error] of results) if (error) throw error;
    return results;
  };
}

/**
 * Returns a connection for any number of queues, workers and producers, none of which blocks it.
 */
export function sharedConnection(backend: QueueBackend, plane: Plane): Redis | pg.Pool {
  const shared =
    backend.kind === 'postgres'
      ? sharedPool(backend, plane)
      : new Redis(backend.url, { maxRetriesPerRequest: null });
  // Without a listener an unreachable backend would end the process. Every queue adds its own.
  shared.on('error', () => {}).setMaxListeners(0);
  return shared;
}

// BullMQ names its tables without a schema, so the search path alone says which plane it is.
function sharedPool(backend: { url: string; maxConnections?: number }, plane: Plane): pg.Pool {
  return new pg.Pool({
    connectionString: backend.url,
    max: backend.maxConnections ?? 3,
    options: `-c search_path=${NAMESPACE[plane]}`,
  });
}

/** With a null processor, jobs are fetched from the worker one at a time, by calling it. */
export function createWorker(
  backend: QueueBackend,
  plane: Plane,
  name: string,
  processor: Processor | null,
  concurrency = 1,
): WorkerHandle {
  const options = { concurrency, autorun: processor !== null };
  const { Worker: OnPostgres } = plane === 'runner' ? privatePostgres : postgres;
  const worker =
    backend.kind === 'postgres'
      ? new OnPostgres(name, processor, {
          ...options,
          connection: postgresConnection(backend, plane, name),
        })
      : new Worker(name, processor, {
          ...options,
          connection: redisConnection(backend.url),
          prefix: NAMESPACE[plane],
        });
  return worker as unknown as WorkerHandle;
}

/**
 * Closes a worker without a processor. BullMQ's own close would let a fetch that waits wait on,
 * with a connection of its own; `fetch` is the one that is under way.
 */
export async function closeFetchingWorker(
  worker: WorkerHandle,
  fetch: Promise<void> | undefined,
): Promise<void> {
  const { backend } = worker as unknown as { backend: { disconnectBlocking(): Promise<void> } };
  await backend.disconnectBlocking();
  await fetch;
  await worker.close(true);
}
