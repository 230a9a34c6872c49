import { daysBefore, deleteInBatches } from '@/lib/platform/db/batches';
import { DEFAULT_CHECKPOINTS, MIN_RETENTION_DAYS } from '@/lib/projects/checkpoint-settings';
import { deleteCheckpoints } from './checkpoints/data';
import { deleteSessionEvents } from './events/data';
import { pruneSeals } from './seals/sweep-seals';

/** Retention of session events, in days. Reports, costs and decisions are kept. */
export const LOG_RETENTION_DAYS = 30;

/** Deletes session events, checkpoints and sealed conversations whose retention has passed. */
export async function pruneSessions(now = new Date()): Promise<void> {
  const endedBefore = daysBefore(now, LOG_RETENTION_DAYS);
  await deleteInBatches((limit) => deleteSessionEvents(endedBefore, limit));
  const retention = {
    leastDays: MIN_RETENTION_DAYS,
    defaultDays: DEFAULT_CHECKPOINTS.retentionDays,
  };
  await deleteInBatches((limit) => deleteCheckpoints(now, retention, limit));
  await pruneSeals(now);
}
