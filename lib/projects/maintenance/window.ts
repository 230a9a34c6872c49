/** When maintenance windows are open: pure, from the configuration and a clock. */

import { formatSpan } from '@/lib/platform/format/duration';
import { instantOf, nextRunAt } from '../schedules/next-run';
import { scheduleWords } from '../schedules/validate';
import type { MaintenanceWindow, OpenWindow } from './schema';

/** Returns the strictest open window; among equal ones, the one that ends last. */
export function openWindow(windows: readonly MaintenanceWindow[], now: Date): OpenWindow | null {
  const open = windows.flatMap((window) => {
    const span = newestSpan(window, now);
    return span && span.startsAt <= now && now < span.endsAt ? [asOpen(window, span)] : [];
  });
  const strict = open.filter(({ effect }) => effect === 'no_cycles');
  const [last] = (strict.length > 0 ? strict : open).toSorted(
    (one, other) => other.endsAt.getTime() - one.endsAt.getTime(),
  );
  return last ?? null;
}

/** Returns the next `count` times that a window opens, or is open now; none once it has ended. */
export function nextWindows(window: MaintenanceWindow, now: Date, count: number): OpenWindow[] {
  const current = newestSpan(window, now);
  const found = current && now < current.endsAt ? [asOpen(window, current)] : [];
  if (window.when.kind === 'once') return found;
  const schedule = cronOf(window, window.when.expression);
  let startsAt = nextRunAt(schedule, now);
  while (startsAt !== null && found.length < count) {
    found.push(asOpen(window, spanFrom(startsAt, window.when.durationSeconds)));
    startsAt = nextRunAt(schedule, startsAt);
  }
  return found;
}

interface Span {
  startsAt: Date;
  endsAt: Date;
}

/** The one time of a single window; of a recurring one the latest that has begun, if it may still be open. */
function newestSpan({ when, ...window }: MaintenanceWindow, now: Date): Span | null {
  if (when.kind === 'recurring') {
    const schedule = cronOf(window, when.expression);
    const past = new Date(now.getTime() - when.durationSeconds * 1_000);
    let [startsAt, next] = [past, nextRunAt(schedule, past)];
    while (next !== null && next <= now) [startsAt, next] = [next, nextRunAt(schedule, next)];
    return spanFrom(startsAt, when.durationSeconds);
  }
  const startsAt = instantOf(when.startsAt, window.timeZone);
  const endsAt = instantOf(when.endsAt, window.timeZone);
  return startsAt && endsAt && { startsAt, endsAt };
}

function spanFrom(startsAt: Date, durationSeconds: number): Span {
  return { startsAt, endsAt: new Date(startsAt.getTime() + durationSeconds * 1_000) };
}

function cronOf({ timeZone }: { timeZone: string }, expression: string) {
  return { kind: 'cron', expression, timeZone } as const;
}

function asOpen({ name, effect }: MaintenanceWindow, span: Span): OpenWindow {
  return { name, effect, ...span };
}

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

/**
 * Returns why nothing starts, or nothing above tier 1: `the maintenance window “Patching” is open
 * until 23:30 UTC`.
 */
export function openWindowClause({ name, endsAt }: OpenWindow): string {
  const at = endsAt.toISOString();
  return `the maintenance window “${name}” is open until ${at.slice(0, 10)} ${at.slice(11, 16)} UTC`;
}
