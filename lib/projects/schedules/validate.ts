import cronstrue from 'cronstrue';
import { formatSpan } from '@/lib/platform/format/duration';
import { isTimeZone } from '@/lib/platform/format/time-zone';
import { cronFieldProblem } from './cron-fields';
import { nextRunAt } from './next-run';
import type { Schedule } from './schema';

type ValidSchedule = { ok: true } | { ok: false; field: 'expression' | 'timeZone'; error: string };

/** Whether a schedule can be kept; `error` is a sentence for its field. */
export function validateSchedule(schedule: Schedule, now: Date): ValidSchedule {
  if (!isTimeZone(schedule.timeZone)) {
    const error = `There is no time zone named ${schedule.timeZone}. Use a name such as Europe/Berlin or UTC.`;
    return { ok: false, field: 'timeZone', error };
  }
  if (schedule.kind !== 'cron') return { ok: true };
  const problem = cronFieldProblem(schedule.expression) ?? neverFires(schedule, now);
  if (problem === null) return { ok: true };
  const error = `\`${schedule.expression}\` isn't a schedule: ${problem}.`;
  return { ok: false, field: 'expression', error };
}

function neverFires(schedule: Schedule, now: Date): string | null {
  return nextRunAt(schedule, now) === null ? 'no date ever fits it' : null;
}

/** `every 10 min`, `At 09:00, Monday through Friday (Europe/Berlin)`, `only by hand`. */
export function scheduleWords(schedule: Schedule): string {
  switch (schedule.kind) {
    case 'manual':
      return 'only by hand';
    case 'interval':
      return `every ${formatSpan(schedule.everySeconds)}`;
    case 'cron':
      return `${cronWords(schedule.expression)} (${schedule.timeZone})`;
  }
}

function cronWords(expression: string): string {
  try {
    return cronstrue.toString(expression, { use24HourTimeFormat: true });
  } catch {
    return expression;
  }
}
