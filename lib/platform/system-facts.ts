import path from 'node:path';
import { sql } from 'kysely';
import { globalDb } from './db/global-db';
import { requireRole } from './db/roles';
import type { TenantScope } from './db/scope';
import { lookedUp, query } from './db/sql';
import { env } from './env';
import { checkReadiness } from './health';
import { buildId } from './http/build-id';
import { productVersion } from './product-version';
import { controlQueue } from './queue/enqueue';

/** What this installation consists of, and whether its parts answer. */
export interface SystemFacts {
  checkedAt: Date;
  database: { isUp: boolean; version: string | null; answerMs: number | null };
  queue: { isUp: boolean; backend: 'PostgreSQL' | 'Redis' };
  worker: { isUp: boolean; lastSeenAt: Date | null };
  /** Leases expire while it is up. */
  leaseClock: { isUp: boolean };
  /** Recurring jobs by name, with when each is due next; empty where the queue doesn't answer. */
  sweeps: { name: string; dueAt: Date | null }[];
  versions: { product: string; build: string; node: string };
  /** Null where others can reach the installation: its host is no business of theirs. */
  dataDir: string | null;
  publicUrl: string;
  isMailConfigured: boolean;
  isDryRunForced: boolean;
  allowsPrivateTargets: boolean;
}

/** Asks every part of the installation, each for 1.5 seconds at most. Throws ForbiddenError. */
export async function getSystemFacts(scope: TenantScope, now = new Date()): Promise<SystemFacts> {
  requireRole(scope, 'admin');
  const { parts } = await checkReadiness(now);
  const { redisUrl, isLoopbackOnly, dataDir, publicUrl, smtpUrl, ...flags } = env();
  return {
    checkedAt: now,
    database: { isUp: parts.database, ...(parts.database ? await askDatabase() : UNKNOWN) },
    queue: { isUp: parts.queue, backend: redisUrl ? 'Redis' : 'PostgreSQL' },
    worker: {
      isUp: parts.worker,
      lastSeenAt: parts.database ? await lastWorkerBeat() : null,
    },
    leaseClock: { isUp: parts.leaseClock },
    sweeps: parts.queue ? await listSweeps() : [],
    versions: { product: productVersion(), build: buildId(), node: process.version },
    // Behind a proxy it listens on loopback, too; its public address tells.
    dataDir: isLoopbackOnly && isLoopback(publicUrl) ? path.resolve(dataDir) : null,
    publicUrl,
    isMailConfigured: smtpUrl !== null,
    isDryRunForced: flags.isDryRunForced,
    allowsPrivateTargets: flags.allowPrivateTargets,
  };
}

function isLoopback(address: string): boolean {
  return ['127.0.0.1', 'localhost', '[::1]'].includes(new URL(address).hostname);
}

const UNKNOWN = { version: null, answerMs: null };

async function askDatabase() {
  const startedAt = performance.now();
  const version = sql<string>`current_setting('server_version')`.as('version');
  const [row] = await lookedUp(query.selectNoFrom(version));
  return { version: row?.version ?? null, answerMs: performance.now() - startedAt };
}

async function lastWorkerBeat(): Promise<Date | null> {
  const row = await globalDb().processHeartbeat.findUnique({ where: { name: 'worker' } });
  return row?.lastAt ?? null;
}

async function listSweeps(): Promise<SystemFacts['sweeps']> {
  const schedulers = await controlQueue().getJobSchedulers();
  return schedulers
    .map(({ key, next }) => ({ name: key, dueAt: next ? new Date(next) : null }))
    .toSorted((one, other) => one.name.localeCompare(other.name));
}
