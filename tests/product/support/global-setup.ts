/** A PostgreSQL for each worker: some tests kill theirs, which no other file may notice. */
import type { TestProject } from 'vitest/node';
import { startTestClusters } from '../../support/global-setup';

export default function setup({ config }: TestProject): Promise<() => Promise<void>> {
  return startTestClusters(Number(config.maxWorkers));
}
