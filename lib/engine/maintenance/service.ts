import { DEFAULT_CHECKPOINTS, LEAST_RETENTION_DAYS } from '@/lib/projects/checkpoint-settings';
import {
  deleteAuthSessions,
  deleteCheckpoints,
  deleteDeliveries,
  deleteIdempotencyKeys,
  deletePasswordResets,
  deleteSessionEvents,
} from './data';

/** How long the stream of a session is kept; report, cost and decisions stay. */
export const LOG_RETENTION_DAYS = 30;
/** How long a message to an endpoint or a channel can be read and sent again. */
export const DELIVERY_RETENTION_DAYS = 90;
/** How long a sign-in that is over stays in the list of a person's devices. */
const AUTH_SESSION_DAYS = 30;
const IDEMPOTENCY_DAYS = 1;
const PASSWORD_RESET_DAYS = 1;
const BATCH = 20_000;
const DAY_MS = 86_400_000;

/** Deletes what has passed its retention. */
export async function pruneRows(now = new Date()): Promise<void> {
  const ago = (days: number) => new Date(now.getTime() - days * DAY_MS);
  await inBatches(() => deleteSessionEvents(ago(LOG_RETENTION_DAYS), BATCH));
  const retention = {
    leastDays: LEAST_RETENTION_DAYS,
    defaultDays: DEFAULT_CHECKPOINTS.retentionDays,
  };
  await inBatches(() => deleteCheckpoints(now, retention, BATCH));
  await inBatches(() => deleteDeliveries(ago(DELIVERY_RETENTION_DAYS), BATCH));
  await deletePasswordResets(ago(PASSWORD_RESET_DAYS));
  await deleteIdempotencyKeys(ago(IDEMPOTENCY_DAYS));
  await deleteAuthSessions(ago(AUTH_SESSION_DAYS));
}

async function inBatches(deleteBatch: () => Promise<number>): Promise<void> {
  let deleted = BATCH;
  while (deleted === BATCH) deleted = await deleteBatch();
}
