/** A PostgreSQL for each worker: some tests kill theirs, which no other file may notice. */
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import type { TestProject } from 'vitest/node';
import { PREPARED_DATA_VARIABLE } from '@/scripts/chaos/options.mjs';
import { startTestClusters } from '../../support/global-setup';
import { SHARED_FOLDER_VARIABLE } from '../../support/system/shared-folder';

export default async function setup({ config }: TestProject): Promise<() => Promise<void>> {
  const shared = await mkdtemp(path.join(os.tmpdir(), 'tierwatch-shared-'));
  await chmod(shared, 0o755);
  process.env[SHARED_FOLDER_VARIABLE] = shared;
  const prepared = path.join(shared, 'prepared');
  const close = await startTestClusters(Number(config.maxWorkers), prepared);
  process.env[PREPARED_DATA_VARIABLE] = prepared;
  return async () => {
    await close();
    await rm(shared, { recursive: true, force: true, maxRetries: 5 });
  };
}
