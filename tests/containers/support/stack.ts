/** The services of docker-compose.yml on a real PostgreSQL and Redis, as Compose would start them. */
import { randomBytes } from 'node:crypto';
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { Redis } from 'ioredis';
import pg from 'pg';
import { roleUrls } from '@/scripts/bootstrap/database-urls.mjs';
import { guardProcess } from '@/scripts/bootstrap/guard.mjs';
import { findFreePort } from '@/scripts/bootstrap/ports.mjs';
import { stopServer } from '@/scripts/bootstrap/postgres/left-server.mjs';
import { findPlace } from '@/scripts/bootstrap/postgres/place.mjs';
import { ensureCluster, runServer } from '@/scripts/bootstrap/postgres/server.mjs';
import { findProgram } from '@/scripts/test/redis.mjs';
import { eventually } from '../../bootstrap/eventually';
import type { Images } from '../../support/containers/build-images.mts';
import { readCompose } from '../../support/containers/compose-file';
import {
  type Container,
  type Host,
  makeHost,
  placeProgram,
  placeShim,
} from '../../support/containers/host';
import { watchCommandLines } from '../../support/containers/process-facts';

const READY_MS = 300_000;

export interface Stack {
  host: Host;
  folder: string;
  url: string;
  secrets: Record<string, string>;
  /** The database as its superuser. */
  superuserUrl: string;
  /** Logins of the application, for what a test does in its own process. */
  loginUrls: { appUrl: string; systemUrl: string };
  redisPort: number;
  /** Each service by its latest start. */
  containers: Map<string, Container>;
  start(service: string, more?: Record<string, string>): Container;
  /** Starts the queue on its old port and data. */
  startRedis(): Promise<void>;
  ready(): Promise<void>;
  ask<Row extends pg.QueryResultRow>(sql: string): Promise<Row[]>;
  /** Command lines, so far, that held a secret; ends the watch. */
  leaks(): string[];
  /** The arguments of each psql and redis-server. */
  notedArguments(): string;
  close(): Promise<void>;
}

/** What has to be on this machine besides the npm packages; null: everything is. */
export function missingProgram(): string | null {
  return ['psql', 'redis-server'].find((name) => findProgram(name) === null) ?? null;
}

/** One of each kind: letters that mean something in a URL, and none that a URL couldn't hold. */
function makeSecrets(): Record<string, string> {
  const random = () => randomBytes(24).toString('hex');
  return {
    postgres_password: random(),
    database_password: `${random()}/@:%+`,
    redis_password: `${random()}/@:%+`,
    secret_key: random(),
    runner_queue_password: `${random()}/@:%+`,
    anthropic_api_key: `sk-${random()}`,
  };
}

/**
 * Starts PostgreSQL, makes the database's owner, starts Redis and migrates; `variables` are what an
 * operator sets in .env, and `claude` is the program that the runners' image contains.
 */
export async function startStack(
  images: Images,
  { variables, claude }: { variables: Record<string, string>; claude: string },
): Promise<Stack> {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'tierwatch-compose-'));
  chmodSync(folder, 0o755);
  const secrets = makeSecrets();
  const leaks = watchCommandLines(Object.values(secrets));
  const [webPort, redisPort] = [await findFreePort(), await findFreePort()];
  const url = `http://127.0.0.1:${webPort}`;
  const postgres = await startPostgres(folder, secrets.postgres_password ?? '');
  const programs = path.join(folder, 'programs');
  const notes = path.join(folder, 'arguments');
  const shim = (name: string, more: string[]) =>
    placeShim(programs, { name, file: findProgram(name) ?? '', more, notes });
  shim('psql', []);
  shim('redis-server', ['--port', String(redisPort), '--bind', '127.0.0.1']);
  const host = makeHost({
    compose: readCompose({
      TIERWATCH_PUBLIC_URL: url,
      TIERWATCH_SIGN_UP: 'open',
      ANTHROPIC_API_KEY_FILE: './secrets/anthropic_api_key',
      ...variables,
    }),
    images,
    folder,
    secrets,
    programs,
    names: [
      ['@postgres:5432', `@127.0.0.1:${postgres.port}`],
      ['redis:6379', `127.0.0.1:${redisPort}`],
      ['web:3000', `127.0.0.1:${webPort}`],
      ['/usr/local/bin/claude', placeProgram(claude, path.join(folder, 'bin'), 'claude')],
    ],
  });
  writeFileSync(notes, '');
  // Another account notes its arguments there.
  chmodSync(notes, 0o666);

  const containers = new Map<string, Container>();
  const start: Stack['start'] = (service, more = {}) => {
    const listening = { HOST: '127.0.0.1', PORT: String(webPort) };
    const container = host.start(service, {
      more: { ...(service === 'web' ? listening : {}), ...more },
    });
    containers.set(service, container);
    return container;
  };
  const superuserUrl = `postgresql://postgres:${secrets.postgres_password}@127.0.0.1:${postgres.port}/tierwatch`;
  const startRedis = async () => {
    start('redis');
    const redis = new Redis({ port: redisPort, password: secrets.redis_password });
    redis.on('error', () => {});
    await eventually('Redis answers', () => redis.ping().catch(() => false), 30_000);
    redis.disconnect();
  };
  async function close() {
    await host.close();
    await postgres.stop();
  }

  try {
    const owner = host.start('database-owner', {
      more: { PGHOST: '127.0.0.1', PGPORT: String(postgres.port) },
    });
    if ((await owner.ended) !== 0) throw new Error(`database-owner failed: ${owner.output()}`);
    await startRedis();
    await host.run('migrate');
  } catch (error) {
    await close();
    throw error;
  }
  return {
    host,
    folder,
    url,
    secrets,
    superuserUrl,
    loginUrls: roleUrls(superuserUrl, secrets.secret_key ?? '', {}),
    redisPort,
    containers,
    start,
    startRedis,
    async ready() {
      let said = 'nothing';
      const isReady = async () => {
        const answer = await fetch(`${url}/readyz`).catch(() => null);
        said = (await answer?.text()) ?? 'nothing';
        return answer?.ok;
      };
      await eventually('the service is ready', isReady, READY_MS).catch((error: unknown) => {
        throw new Error(`/readyz says ${said}`, { cause: error });
      });
    },
    async ask<Row extends pg.QueryResultRow>(sql: string) {
      const client = new pg.Client({ connectionString: superuserUrl });
      await client.connect();
      try {
        return (await client.query<Row>(sql)).rows;
      } finally {
        await client.end();
      }
    },
    leaks,
    notedArguments: () => readFileSync(notes, 'utf8'),
    async close() {
      leaks();
      await close();
      rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}

/** A cluster as the image's entry point makes it: a superuser with that password, and nothing else. */
async function startPostgres(
  folder: string,
  superuserPassword: string,
): Promise<{ port: number; stop(): Promise<void> }> {
  const home = path.join(folder, 'postgres');
  mkdirSync(home, { recursive: true });
  const settings = { id: 'compose', superuserPassword, ownerPassword: '', port: null };
  const place = await findPlace(folder, home, settings);
  const options = { ...place, settings, isThrowaway: true };
  await ensureCluster(options);
  const server = await runServer({ ...options, logFile: path.join(folder, 'postgres.log') });
  const guard = guardProcess(server.pid, { signal: 'INT', killAfterSeconds: null });
  return {
    port: server.port,
    async stop() {
      guard.dismiss();
      await stopServer(server.pid);
    },
  };
}
