import { LEASE_SECONDS } from '@/lib/protocol/schema';
import type { RunnerDto } from './schema';

/** As long as a lease, which is four missed heartbeats. */
export const OFFLINE_AFTER_SECONDS = LEASE_SECONDS;

/**
 * Returns the status of a runner at `now`. `revoked` has priority over `offline`, and `offline`
 * over `draining` and `paused`.
 */
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

/** A runner whose last contact is at most this old can be waited for, in seconds. */
const REACHABLE_SECONDS = 60;

/** Returns whether a runner still reports, whether or not work may reach it. */
export function isConnected(
  runner: { lastSeenAt: Date | null; revokedAt: Date | null } | null,
  now: Date,
): boolean {
  if (!runner?.lastSeenAt || runner.revokedAt) return false;
  return now.getTime() - runner.lastSeenAt.getTime() <= REACHABLE_SECONDS * 1_000;
}

export function isReachable(
  runner: {
    lastSeenAt: Date | null;
    revokedAt: Date | null;
    drainingAt: Date | null;
    pausedAt: Date | null;
  } | null,
  now: Date,
): boolean {
  return isConnected(runner, now) && !runner?.drainingAt && !runner?.pausedAt;
}

/** A runner that has been offline for longer is no longer reported. */
export const STALE_DAYS = 7;
