/**
 * BullMQ on PostgreSQL notifies workers on one channel of the database, with the queue's name, and
 * names their connections after their queue. Both would show each runner the queues of all others.
 * In the runners' schema each queue has a channel of its own, whose name is the queue's: see
 * `scripts/bootstrap/queue-schemas.mjs`.
 */
import {
  type BackendFactory,
  createPostgresBackend,
  type PostgresConnectionOptions,
  PostgresQueueBackend,
} from 'bullmq';
import type pg from 'pg';

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
export const createPrivateBackend: BackendFactory<
  PostgresQueueBackend,
  PostgresConnectionOptions
> = (name, options) => {
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
