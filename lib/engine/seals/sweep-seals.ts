import { deleteInBatches } from '@/lib/platform/db/batches';
import { deleteExpired } from './data';

/** An upload takes minutes at most, also to a slow storage. */
const UPLOAD_MS = 3_600_000;

/** Deletes seals that have expired, and what interrupted uploads have left. */
export async function pruneSeals(now = new Date()): Promise<void> {
  const begunBefore = new Date(now.getTime() - UPLOAD_MS);
  await deleteInBatches((limit) => deleteExpired(now, begunBefore, limit));
}
