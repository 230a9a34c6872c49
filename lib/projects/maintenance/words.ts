import { formatSpan } from '@/lib/platform/format/duration';
import { scheduleWords } from '../schedules/words';
import type { MaintenanceWindow, OpenWindow } from './schema';

/** `At 22:00, only on Saturday (Europe/Berlin), for 4h`; `2026-12-01 22:00 to 23:30 (UTC)`. */
export function windowWords({ when, timeZone }: MaintenanceWindow): string {
  if (when.kind === 'recurring') {
    const { expression, durationSeconds } = when;
    return `${scheduleWords({ kind: 'cron', expression, timeZone })}, for ${formatSpan(durationSeconds)}`;
  }
  const [day, from] = when.startsAt.split('T');
  const [lastDay, to] = when.endsAt.split('T');
  const end = lastDay === day ? to : `${lastDay} ${to}`;
  return `${day} ${from} to ${end} (${timeZone})`;
}

/** Why nothing starts, or nothing above tier 1: `the maintenance window “Patching” is open until 23:30 UTC`. */
export function openWindowClause({ name, endsAt }: OpenWindow): string {
  const at = endsAt.toISOString();
  return `the maintenance window “${name}” is open until ${at.slice(0, 10)} ${at.slice(11, 16)} UTC`;
}
