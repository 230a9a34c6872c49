import { runnerStatus } from '@/lib/fleet/status';
import { compareVersions } from '@/lib/platform/version-list';
import { RUNNER_VERSION } from '@/lib/protocol/schema';

/** A runner is in one of them, so that they add up. */
export const RUNNER_STATES = [
  'online',
  'outdated',
  'draining',
  'paused',
  'offline',
  'never',
] as const;

export interface RunnerRow {
  lastSeenAt: Date | null;
  drainingAt: Date | null;
  pausedAt: Date | null;
  revokedAt: Date | null;
  /** Of the runner's own program; null before its first contact. */
  version: string | null;
}

/** Returns a runner's status, or `outdated` for one that is online with an earlier version. */
export function runnerState(runner: RunnerRow, now: Date, current = RUNNER_VERSION): string {
  const status = runnerStatus(runner, now);
  const isOutdated =
    status === 'online' && runner.version !== null && compareVersions(runner.version, current) < 0;
  return isOutdated ? 'outdated' : status;
}
