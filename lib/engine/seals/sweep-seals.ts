import { deleteInBatches } from '@/lib/platform/db/batches';
import { AppError } from '@/lib/platform/errors';
import { deleteExpired, forgetRemoval, listRemovals } from './data';
import { configuredS3 } from './s3-storage';

/** An upload takes minutes at most, also to a slow storage. */
const UPLOAD_MS = 3_600_000;
const REMOVALS = 1_000;

/**
 * Deletes seals that have expired, what interrupted uploads have left, and objects in S3 whose seals
 * are gone. What S3 doesn't delete now stays for the next sweep.
 */
export async function pruneSeals(now = new Date()): Promise<void> {
  const begunBefore = new Date(now.getTime() - UPLOAD_MS);
  await deleteInBatches((limit) => deleteExpired(now, begunBefore, limit));
  const s3 = configuredS3();
  if (s3 === null) return;
  for (const sealId of await listRemovals(REMOVALS)) {
    try {
      await s3.remove(sealId);
    } catch (error) {
      if (error instanceof AppError) return;
      throw error;
    }
    await forgetRemoval(sealId);
  }
}
