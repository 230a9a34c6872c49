import { createHash } from 'node:crypto';
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import pg from 'pg';
import { runNode } from './command.mjs';
import { checkout } from './folders.mjs';
import { hashFiles, hasStamp, writeStamp } from './stamps.mjs';

const CLI = 'node_modules/prisma/build/index.js';
const ENGINE = path.join(checkout, 'scripts', 'schema-engine.mjs');
const STAMP = path.join(checkout, 'generated', 'prisma', '.made-from');
const SOURCES = ['prisma/schema', 'prisma.config.ts', 'node_modules/prisma/package.json'];

/** The environment in which the Prisma CLI works without downloading anything. */
export function prismaEnvironment(databaseUrl, env = process.env) {
  // An archive or a copy may have lost the executable bit that Prisma looks at.
  if (process.platform !== 'win32' && (statSync(ENGINE).mode & 0o111) === 0)
    chmodSync(ENGINE, 0o755);
  return {
    ...env,
    PRISMA_SCHEMA_ENGINE_BINARY: env.PRISMA_SCHEMA_ENGINE_BINARY ?? ENGINE,
    PRISMA_HIDE_UPDATE_MESSAGE: '1',
    CHECKPOINT_DISABLE: '1',
    ...(databaseUrl ? { DATABASE_URL: databaseUrl } : {}),
  };
}

/** Runs the Prisma CLI. @param {string[]} args */
export function runPrisma(args, { databaseUrl, isShown = false, env = process.env } = {}) {
  const what = `prisma ${args.join(' ')}`;
  return runNode([CLI, ...args], { env: prismaEnvironment(databaseUrl, env), isShown, what });
}

/** Notes from which schema the client was made. */
export function noteClient() {
  mkdirSync(path.dirname(STAMP), { recursive: true });
  writeStamp(STAMP, hashFiles(checkout, SOURCES));
}

/** Makes the database client when the schema has changed. */
export async function ensureClient() {
  if (hasStamp(STAMP, hashFiles(checkout, SOURCES))) return;
  await runPrisma(['generate']);
  noteClient();
}

/** Prisma's own record of a migration is its folder's name and the SHA-256 of its SQL. */
function listMigrations() {
  const folder = path.join(checkout, 'prisma', 'migrations');
  return readdirSync(folder)
    .map((name) => ({ name, file: path.join(folder, name, 'migration.sql') }))
    .filter(({ file }) => existsSync(file))
    .map(({ name, file }) => ({
      name,
      checksum: createHash('sha256').update(readFileSync(file)).digest('hex'),
    }));
}

/** Whether every migration of this checkout is in the database, as it is in the checkout. */
async function isMigrated(databaseUrl) {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    const known = await client.query("select to_regclass('_prisma_migrations') is not null as yes");
    if (!known.rows[0].yes) return false;
    const { rows } = await client.query(
      'select migration_name || checksum as done from _prisma_migrations where finished_at is not null and rolled_back_at is null',
    );
    const done = new Set(rows.map((row) => row.done));
    return listMigrations().every(({ name, checksum }) => done.has(name + checksum));
  } finally {
    await client.end();
  }
}

/** Prisma's lock while it migrates. */
const MIGRATION_LOCK = 72707369;

/**
 * Forgets that a migration began which was cut off: none of its statements remained, since the last
 * of them notes it as done (scripts/schema-engine/adapter.mjs). Prisma would refuse to migrate (P3009).
 */
async function forgetCutOff(databaseUrl) {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    const known = await client.query("select to_regclass('_prisma_migrations') is not null as yes");
    if (!known.rows[0].yes) return;
    // Whoever still migrates finishes first.
    await client.query('select pg_advisory_lock($1)', [MIGRATION_LOCK]);
    await client.query(
      'delete from _prisma_migrations where finished_at is null and rolled_back_at is null',
    );
  } finally {
    await client.end();
  }
}

/**
 * Applies the migrations that are missing, as the owner. Asks the database first, because Prisma's
 * own look takes a second of every start.
 * @returns {Promise<boolean>} whether there were any
 */
export async function migrate(databaseUrl) {
  if (await isMigrated(databaseUrl)) return false;
  await forgetCutOff(databaseUrl);
  await runPrisma(['migrate', 'deploy'], { databaseUrl });
  return true;
}
