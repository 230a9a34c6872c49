/** A throwaway PostgreSQL for a test run, with a migrated template that test files copy. */
import { chmod, cp, mkdtemp, rm, statfs } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { holdDataFolder } from '@/scripts/bootstrap/data-folder.mjs';
import { prepareDatabase } from '@/scripts/bootstrap/database.mjs';
import { startCluster } from '@/scripts/bootstrap/postgres/cluster.mjs';
import { ensureClient } from '@/scripts/bootstrap/prisma.mjs';
import { readOrMakeSecretKey } from '@/scripts/bootstrap/secret-key.mjs';
import { CLUSTERS_VARIABLE, type TestCluster } from './database';
import { ensureTestPrograms } from './programs';

const IN_MEMORY = '/dev/shm';
/** The write-ahead log alone may grow to 1 GB. */
const ENOUGH_BYTES = 4 * 1024 ** 3;

/** Each test file copies a thousand small files, which takes half the time in memory. */
async function parentFolder(): Promise<string> {
  const free = await statfs(IN_MEMORY).then(
    ({ bavail, bsize }) => bavail * bsize,
    () => 0,
  );
  return free >= ENOUGH_BYTES ? IN_MEMORY : os.tmpdir();
}

interface RunningCluster {
  cluster: TestCluster;
  stop(): Promise<void>;
}

async function makeDataDir(): Promise<string> {
  const dataDir = await mkdtemp(path.join(await parentFolder(), 'tierwatch-test-'));
  // PostgreSQL's own account has to get through; the files with passwords are closed by themselves.
  await chmod(dataDir, 0o755);
  return dataDir;
}

async function startTestCluster(dataDir: string): Promise<RunningCluster> {
  const folder = holdDataFolder(dataDir);
  const cluster = await startCluster(folder, { isThrowaway: true });
  const stop = async () => {
    await cluster.stop();
    folder.release();
  };
  try {
    const secretKey = readOrMakeSecretKey(dataDir, {});
    await prepareDatabase(cluster.ownerUrl, secretKey, {});
    const { superuserUrl, ownerUrl } = cluster;
    const redisUrl = process.env.TIERWATCH_TEST_REDIS_URL ?? null;
    return { cluster: { superuserUrl, ownerUrl, secretKey, redisUrl }, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** The first is migrated, and the others are copies of it, which can't be made while it runs. */
async function makeDataDirs(count: number, copyTo?: string): Promise<string[]> {
  const first = await makeDataDir();
  if (count === 1) return [first];
  await (await startTestCluster(first)).stop();
  if (copyTo) await cp(first, copyTo, { recursive: true });
  const copy = async () => {
    const dataDir = await makeDataDir();
    await cp(first, dataDir, { recursive: true });
    return dataDir;
  };
  return [first, ...(await Promise.all(Array.from({ length: count - 1 }, copy)))];
}

/**
 * Starts clusters for a test run. Returns what ends them.
 *
 * @param copyTo where a copy of their data folder is left, for tests that start the product on one
 */
export async function startTestClusters(
  count: number,
  copyTo?: string,
): Promise<() => Promise<void>> {
  await ensureClient();
  await ensureTestPrograms();
  const dataDirs = await makeDataDirs(count, copyTo);
  const running: RunningCluster[] = [];
  const close = async () => {
    for (const { stop } of running) await stop();
    for (const dataDir of dataDirs) await rm(dataDir, { recursive: true, force: true });
  };
  try {
    for (const dataDir of dataDirs) running.push(await startTestCluster(dataDir));
  } catch (error) {
    await close();
    throw error;
  }
  process.env[CLUSTERS_VARIABLE] = JSON.stringify(running.map(({ cluster }) => cluster));
  return close;
}

/** Two projects of integration tests share what the first of them has started. */
export default async function setup(): Promise<(() => Promise<void>) | undefined> {
  if (!process.env[CLUSTERS_VARIABLE]) return await startTestClusters(1);
}
