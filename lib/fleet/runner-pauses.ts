import { endPausesInTurn, NOT_PAUSED, type PauseInput, pausedColumns } from '@/lib/identity/pauses';
import type { TenantScope } from '@/lib/platform/db/scope';
import { notifyRunner } from '@/lib/platform/live/hint';
import { endRunnerPauseIfDue, listEndedRunnerPauses } from './data';
import { changeRunner } from './manage-runners';
import type { RunnerDto } from './schema';

/**
 * Pauses a runner: it claims nothing new until it is resumed or the pause ends, and its running
 * attempts continue. A repeated call changes nothing.
 */
export async function pauseRunner(
  scope: TenantScope,
  runnerId: string,
  pause: PauseInput,
  now = new Date(),
): Promise<RunnerDto> {
  const changes = pausedColumns(scope, pause, now);
  const detail = { reason: pause.reason, endsAt: changes.pauseEndsAt };
  return changeRunner(
    scope,
    runnerId,
    now,
    (runner) => (runner.pausedAt ? null : { changes, action: 'runner.paused', detail }),
    'runner.pause',
  );
}

export function endRunnerPause(
  scope: TenantScope,
  runnerId: string,
  now = new Date(),
): Promise<RunnerDto> {
  return changeRunner(
    scope,
    runnerId,
    now,
    (runner) => (runner.pausedAt ? { changes: NOT_PAUSED, action: 'runner.resumed' } : null),
    'runner.pause',
  );
}

/**
 * Ends the pauses of runners whose time is over, and wakes the runners.
 *
 * @returns how many
 */
export async function endRunnerPauses(now = new Date()): Promise<number> {
  return endPausesInTurn(
    { action: 'runner.resumed', prefix: 'rnr' },
    await listEndedRunnerPauses(now),
    async (db, { id }) => {
      const isEnded = await endRunnerPauseIfDue(db, id, now);
      if (isEnded) await notifyRunner(db, id);
      return isEnded;
    },
  );
}
