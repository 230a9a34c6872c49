import type { TenantScope } from '@/lib/platform/db/scope';
import { checkEndsAt } from './ends-at';
import type { PauseColumns, PauseInput } from './schema';

export const NOT_PAUSED: PauseColumns = {
  pausedAt: null,
  pausedBy: null,
  pauseReason: null,
  pauseEndsAt: null,
};

/**
 * What a new pause writes.
 *
 * @throws InvalidError for an end that makes no sense
 */
export function pausedColumns(scope: TenantScope, pause: PauseInput, now: Date) {
  const pauseEndsAt = pause.endsAt ?? null;
  checkEndsAt(pauseEndsAt, now);
  return { pausedAt: now, pausedBy: scope.actor.label, pauseReason: pause.reason, pauseEndsAt };
}
