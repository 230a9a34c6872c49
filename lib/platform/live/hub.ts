import pg from 'pg';
import { env } from '../env';
import { logger } from '../logger';
import { parseHint, type Topic } from './hint';

/** `topics`: of the whole hint; empty after a resync, which means all of them. */
type Listener = (hint: { topics: readonly Topic[]; seq: number | null; isResync: boolean }) => void;

const RETRY_MS = [100, 500, 1_000, 2_000, 5_000];
const PING_MS = 15_000;
const PING_LIMIT_MS = 5_000;

/**
 * The one LISTEN connection of this process. A hint may be lost while it is down; every listener
 * then gets `isResync` and reads its rows again.
 */
class LiveHub {
  private readonly listeners = new Map<Topic, Set<Listener>>();
  private client: pg.Client | null = null;
  private failures = 0;
  private isClosed = false;

  subscribe(topic: Topic, listener: Listener): () => void {
    const set = this.listeners.get(topic) ?? new Set();
    set.add(listener);
    this.listeners.set(topic, set);
    if (!this.client) void this.connect();
    return () => {
      set.delete(listener);
      if (set.size === 0) this.listeners.delete(topic);
    };
  }

  async close(): Promise<void> {
    this.isClosed = true;
    await this.client?.end().catch(() => {});
  }

  private async connect(): Promise<void> {
    const client = new pg.Client({ connectionString: env().appDatabaseUrl, keepAlive: true });
    this.client = client;
    client.on('notification', (message) => this.hear(message.payload ?? ''));
    client.on('error', () => {});
    client.once('end', () => this.reconnect());
    try {
      await client.connect();
      await listen(client);
      this.failures = 0;
      this.keepAlive(client);
      // Also the first time: a listener may have read its rows before anyone listened.
      this.resync();
    } catch (error) {
      logger.warn({ error: String(error) }, 'live updates: connection failed');
      await client.end().catch(() => {});
    }
  }

  private hear(payload: string): void {
    const hint = parseHint(payload);
    if (!hint) return;
    for (const topic of hint.topics) {
      for (const listener of this.listeners.get(topic) ?? []) {
        listener({ ...hint, isResync: false });
      }
    }
  }

  private resync(): void {
    for (const set of this.listeners.values()) {
      for (const listener of set) listener({ topics: [], seq: null, isResync: true });
    }
  }

  private reconnect(): void {
    if (this.isClosed) return;
    const delay = RETRY_MS[Math.min(this.failures, RETRY_MS.length - 1)];
    this.failures += 1;
    setTimeout(() => void this.connect(), delay).unref();
  }

  // A half-open connection reports nothing on its own.
  private keepAlive(client: pg.Client): void {
    const timer = setInterval(() => {
      const limit = setTimeout(() => void client.end().catch(() => {}), PING_LIMIT_MS);
      client.query('select 1').then(
        () => clearTimeout(limit),
        () => clearTimeout(limit),
      );
    }, PING_MS);
    timer.unref();
    client.once('end', () => clearInterval(timer));
  }
}

/** The channel's name is random and only readable to the control plane: see its migration. */
async function listen(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ name: string }>('select name from app.live_channel');
  await client.query(`listen ${client.escapeIdentifier(rows[0]?.name ?? '')}`);
}

// On globalThis, since Next loads a module once per bundle.
const held = globalThis as unknown as { tierwatchLive?: LiveHub };

export function liveHub(): Pick<LiveHub, 'subscribe' | 'close'> {
  held.tierwatchLive ??= new LiveHub();
  return held.tierwatchLive;
}
