/** A database for each test file: a copy of the migrated template that global-setup made, or one that was emptied. */
import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll } from 'vitest';
import { ROLES, roleUrl } from '@/scripts/bootstrap/database-urls.mjs';
import { disconnectCopies, superuserConnection } from './cast/copied-rows';
import { emptyDatabase, type Pristine, readPristine } from './emptied-database';

/** Where the test run's clusters are; set by the global setup for every worker. */
export const CLUSTERS_VARIABLE = 'TIERWATCH_TEST_CLUSTERS';

export interface TestCluster {
  superuserUrl: string;
  /** The owner's address of the template database. */
  ownerUrl: string;
  secretKey: string;
  /** Present when the queues are to run on Redis. */
  redisUrl: string | null;
}

export interface TestDatabase {
  name: string;
  appUrl: string;
  systemUrl: string;
  ownerUrl: string;
  runnerUrl: string;
  superuserUrl: string;
  secretKey: string;
  /** A logical database that no other test file uses; null on the PostgreSQL backend. */
  redisUrl: string | null;
  drop(): Promise<void>;
}

/** The cluster of this worker: the only one, or the one of its number. */
export function testCluster(): TestCluster {
  const clusters = JSON.parse(process.env[CLUSTERS_VARIABLE] ?? '[]') as TestCluster[];
  const worker = Number(process.env.VITEST_POOL_ID ?? 1);
  const cluster = clusters[(worker - 1) % clusters.length];
  if (!cluster) {
    throw new Error('No test cluster: start the test with npx vitest run');
  }
  return cluster;
}

function withDatabase(url: string, database: string): string {
  const changed = new URL(url);
  changed.pathname = `/${database}`;
  return changed.toString();
}

/** Runs statements with the login of an address. */
export async function runSql(connectionString: string, sql: string): Promise<void> {
  const client = new pg.Client({ connectionString });
  await client.connect();
  try {
    await client.query(sql);
  } finally {
    await client.end();
  }
}

async function asSuperuser(work: (client: pg.Client) => Promise<void>): Promise<void> {
  const client = new pg.Client({ connectionString: testCluster().superuserUrl });
  await client.connect();
  try {
    await work(client);
  } finally {
    await client.end();
  }
}

/** Redis counts the databases it has handed out, so that workers of one run never share one. */
async function takeRedisDatabase(redisUrl: string | null): Promise<string | null> {
  if (!redisUrl) return null;
  const { Redis } = await import('ioredis');
  const redis = new Redis(redisUrl);
  try {
    return withDatabase(redisUrl, String(await redis.incr('databases')));
  } finally {
    redis.disconnect();
  }
}

export async function createTestDatabase(): Promise<TestDatabase> {
  const { superuserUrl, ownerUrl, secretKey, redisUrl } = testCluster();
  const name = `test_${randomBytes(8).toString('hex')}`;
  const template = new URL(ownerUrl).pathname.slice(1);
  await asSuperuser(async (client) => {
    // The default strategy writes every page to the log as well, which takes a third longer.
    await client.query(
      `create database ${name} template ${template} strategy file_copy owner tierwatch_owner`,
    );
    // Rights on the database itself are not copied with it.
    await client.query(`revoke connect, temporary on database ${name} from public`);
    const roles = ROLES.map(({ role }) => role).join(', ');
    await client.query(`grant connect on database ${name} to ${roles}`);
  });
  const owner = withDatabase(ownerUrl, name);
  return {
    name,
    appUrl: roleUrl(owner, 'tierwatch_app', secretKey),
    systemUrl: roleUrl(owner, 'tierwatch_system', secretKey),
    runnerUrl: roleUrl(owner, 'tierwatch_runner', secretKey),
    ownerUrl: owner,
    superuserUrl: withDatabase(superuserUrl, name),
    secretKey,
    redisUrl: await takeRedisDatabase(redisUrl),
    drop: () =>
      asSuperuser(async (client) => {
        await client.query(`drop database if exists ${name} with (force)`);
      }),
  };
}

/** The variables that lib/platform/env.ts reads, for this database. */
export function databaseEnvironment(database: TestDatabase): Record<string, string> {
  return {
    TIERWATCH_APP_DATABASE_URL: database.appUrl,
    TIERWATCH_SYSTEM_DATABASE_URL: database.systemUrl,
    TIERWATCH_SECRET_KEY: database.secretKey,
    ...(database.redisUrl ? { REDIS_URL: database.redisUrl } : {}),
  };
}

/** As it was before any test file changed it: this module is there before their own lines run. */
const ENVIRONMENT = { ...process.env };

/** What a process holds for its one database; test files share a process, one after the other. */
async function forgetDatabase(): Promise<void> {
  const held = globalThis as unknown as Record<string, unknown>;
  await (held.tierwatchLive as { close(): Promise<void> } | undefined)?.close();
  for (const name of ['Live', 'Streams', 'Door', 'Env', 'RunnerQuota', 'TokensUsedAt'])
    delete held[`tierwatch${name}`];
  for (const name of Object.keys(process.env)) {
    if (!(name in ENVIRONMENT)) delete process.env[name];
  }
  Object.assign(process.env, ENVIRONMENT);
}

let entered: TestDatabase | null = null;

/** The superuser's address of the database that was entered; null outside of test databases. */
export const currentSuperuserUrl = () => entered?.superuserUrl ?? null;

/** Sets the environment so that the product's own code uses this database. */
export function enterDatabase(database: TestDatabase): void {
  Object.assign(process.env, databaseEnvironment(database));
  entered = database;
}

/** Closes what the product's own code holds for the database that was entered. */
export async function leaveDatabase(): Promise<void> {
  await closeQueues();
  await disconnect();
  await forgetDatabase();
  forgetClients();
}

async function closeQueues(): Promise<void> {
  const queues = await import('@/lib/platform/queue/enqueue');
  entered = null;
  await queues.closeQueues();
}

async function disconnect(): Promise<void> {
  const { disconnectClients } = await import('@/lib/platform/db/clients');
  await disconnectCopies();
  await disconnectClients();
}

type Clients = { tenantPool?: pg.Pool; systemPool?: pg.Pool } | undefined;
const held = globalThis as unknown as { tierwatchClients?: Clients };

/** Work that a test has left behind may have opened clients since they were closed. */
function forgetClients(): void {
  held.tierwatchClients = undefined;
}

/** @returns process ids of the product's connections; null if some aren't to this database */
function openConnections({ appUrl, systemUrl }: TestDatabase): number[] | null {
  const { tenantPool, systemPool } = held.tierwatchClients ?? {};
  const pools = [
    { pool: tenantPool, url: appUrl },
    { pool: systemPool, url: systemUrl },
  ].flatMap(({ pool, url }) => (pool ? [{ pool, url }] : []));
  if (pools.some(({ pool, url }) => pool.ending || pool.options.connectionString !== url)) {
    return null;
  }
  const open = pools.flatMap(({ pool }) => Reflect.get(pool, '_clients') as pg.PoolClient[]);
  return open.map((client) => Number(Reflect.get(client, 'processID')));
}

interface OwnDatabase {
  database: TestDatabase;
  pristine: Pristine;
  /** Of the product, with their connections. */
  clients: Clients;
}

/** Emptied after a test file, for the next one of this process. */
let emptied: OwnDatabase | null = null;

async function takeDatabase(): Promise<OwnDatabase> {
  const free = emptied;
  emptied = null;
  if (free) {
    held.tierwatchClients = free.clients;
    const redisUrl = await takeRedisDatabase(testCluster().redisUrl);
    return { ...free, database: { ...free.database, redisUrl } };
  }
  const database = await createTestDatabase();
  const pristine = await readPristine(await superuserConnection(database.superuserUrl));
  return { database, pristine, clients: undefined };
}

/** Keeps the database with its connections, whose plans and caches the next file uses, or drops it. */
async function giveBack(own: OwnDatabase): Promise<void> {
  const { database, pristine } = own;
  await closeQueues();
  await forgetDatabase();
  const connections = openConnections(database);
  const client = await superuserConnection(database.superuserUrl);
  if (connections && (await emptyDatabase(client, pristine, connections))) {
    emptied = { ...own, clients: held.tierwatchClients };
    forgetClients();
    return;
  }
  await disconnect();
  forgetClients();
  await database.drop();
}

/**
 * A database for the whole test file, with the environment set so that the product's own code uses
 * it. Call at the top of the file; read the result inside tests and hooks only.
 */
export function useTestDatabase(): TestDatabase {
  const database = {} as TestDatabase;
  let own: OwnDatabase;
  beforeAll(async () => {
    own = await takeDatabase();
    Object.assign(database, own.database);
    const checkpoints = await mkdtemp(path.join(tmpdir(), 'tw-checkpoints-'));
    process.env.TIERWATCH_AUDIT_CHECKPOINT_DIR = checkpoints;
    enterDatabase(database);
    return () => rm(checkpoints, { recursive: true, force: true });
  });
  afterAll(() => giveBack(own));
  return database;
}
