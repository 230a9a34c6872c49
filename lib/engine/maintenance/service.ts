import { DEFAULT_CHECKPOINTS, LEAST_RETENTION_DAYS } from '@/lib/projects/checkpoint-settings';
import {
  deleteAuthSessions,
  deleteCheckpoints,
  deleteDeliveries,
  deleteIdempotencyKeys,
  deletePasswordResets,
  deleteSessionEvents,
} from './data';

/** Retention of session events, in days. Reports, costs and decisions are kept. */
export const LOG_RETENTION_DAYS = 30;
/** Retention of deliveries, in days: how long a message can be read and replayed. */
export const DELIVERY_RETENTION_DAYS = 90;
/** How long an ended sign-in stays in a person's list of devices, in days. */
const AUTH_SESSION_DAYS = 30;
const IDEMPOTENCY_DAYS = 1;
const PASSWORD_RESET_DAYS = 1;
const BATCH = 20_000;
const DAY_MS = 86_400_000;

/** Deletes rows whose retention has passed. */
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
