import { NOT_PAUSED, pausedColumns } from '@/lib/identity/pauses/columns';
import type { PauseInput } from '@/lib/identity/pauses/schema';
import type { TenantScope } from '@/lib/platform/db/scope';
import type { RunnerDto } from '../fleet/schema';
import { changeRunner } from './change-runner';

/**
 * It gets nothing new until it is resumed or the pause ends; what it has in hand goes on. A second
 * time changes nothing.
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
