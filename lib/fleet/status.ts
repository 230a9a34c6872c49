import { LEASE_SECONDS } from '@/lib/protocol/schema';
import type { RunnerDto } from './schema';

/** As long as a lease: four missed heartbeats. */
export const OFFLINE_AFTER_SECONDS = LEASE_SECONDS;

/** What a runner is called at `now`; being revoked or drained says more than being silent. */
export function runnerStatus(
  runner: {
    lastSeenAt: Date | null;
    drainingAt: Date | null;
    pausedAt: Date | null;
    revokedAt: Date | null;
  },
  now: Date,
): RunnerDto['status'] {
  if (runner.revokedAt) return 'revoked';
  if (!runner.lastSeenAt) return 'never';
  if (now.getTime() - runner.lastSeenAt.getTime() > OFFLINE_AFTER_SECONDS * 1_000) return 'offline';
  if (runner.drainingAt) return 'draining';
  return runner.pausedAt ? 'paused' : 'online';
}

/** A runner that was heard of within this time can be waited for. */
const REACHABLE_SECONDS = 60;

export function isReachable(
  runner: {
    lastSeenAt: Date | null;
    revokedAt: Date | null;
    drainingAt: Date | null;
    pausedAt: Date | null;
  } | null,
  now: Date,
): boolean {
  if (!runner?.lastSeenAt || runner.revokedAt || runner.drainingAt || runner.pausedAt) return false;
  return now.getTime() - runner.lastSeenAt.getTime() <= REACHABLE_SECONDS * 1_000;
}

/** The row that says since when the runner API has answered without a gap. */
export const RUNNER_API = 'runner-api';

/** A longer silence starts the count again. */
export const PRESENCE_GAP_SECONDS = 15;

/** Longer silent than this, a runner is no news. */
export const STALE_DAYS = 7;
