import cronstrue from 'cronstrue';
import { formatSpan } from '@/lib/platform/format/duration';
import { isTimeZone } from '@/lib/platform/format/time-zone';
import { needsBothDays, nextRunAt } from './next-run';
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
  return nextRunAt(schedule, now) === null ? 'no date ever matches it' : null;
}

/** `every 10 min`, `At 09:00, Monday through Friday (Europe/Berlin)`, `only manually`. */
export function scheduleWords(schedule: Schedule): string {
  switch (schedule.kind) {
    case 'manual':
      return 'only manually';
    case 'interval':
      return `every ${formatSpan(schedule.everySeconds)}`;
    case 'cron':
      return `${cronWords(schedule.expression)} (${schedule.timeZone})`;
  }
}

function cronWords(expression: string): string {
  try {
    return cronstrue.toString(expression, {
      use24HourTimeFormat: true,
      logicalAndDayFields: needsBothDays({ expression }),
    });
  } catch {
    return expression;
  }
}

/** Says in words what is wrong with a cron expression; the parser says only that something is. */
interface Field {
  name: string;
  min: number;
  max: number;
  words: readonly string[];
}

const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];
const DAYS = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'];

const FIELDS: readonly Field[] = [
  { name: 'minute', min: 0, max: 59, words: [] },
  { name: 'hour', min: 0, max: 23, words: [] },
  { name: 'day of month', min: 1, max: 31, words: ['l'] },
  { name: 'month', min: 1, max: 12, words: MONTHS },
  { name: 'day of week', min: 0, max: 7, words: DAYS },
];

/** One clause, such as `hour goes from 0 to 23`; null when all five fields are well formed. */
function cronFieldProblem(expression: string): string | null {
  const parts = expression.trim().split(/\s+/);
  if (parts.length !== FIELDS.length) {
    return `it needs five fields (minute, hour, day of month, month, day of week), not ${parts.length}`;
  }
  for (const [index, field] of FIELDS.entries()) {
    const problem = fieldProblem(field, (parts[index] ?? '').toLowerCase());
    if (problem) return problem;
  }
  return null;
}

function fieldProblem(field: Field, text: string): string | null {
  for (const item of text.split(',')) {
    const [range = '', step, ...rest] = item.split('/');
    if (rest.length > 0 || range === '') return `${field.name} can't be ${text}`;
    if (step !== undefined && !/^[1-9]\d*$/.test(step)) {
      return `${field.name} needs a step of at least 1 after the slash`;
    }
    if (range === '*' || (step === undefined && isSpecial(field, range))) continue;
    const [from, to, ...more] = range.split('-').map((value) => numberOf(field, value));
    if (from === undefined || from === null || to === null || more.length > 0) {
      return `${field.name} can't be ${text}`;
    }
    if ([from, to ?? from].some((value) => value < field.min || value > field.max)) {
      return `${field.name} goes from ${field.min} to ${field.max}`;
    }
    if (to !== undefined && to < from) return `${field.name} ${range} runs backwards`;
  }
  return null;
}

/** `MON#1` is the first Monday, `FRIL` the last Friday. */
function isSpecial(field: Field, range: string): boolean {
  if (field.name !== 'day of week') return range === 'l' && field.words.includes('l');
  const weekday = /^([0-7]|[a-z]{3})(#[1-5]|l)$/.exec(range)?.[1];
  return weekday !== undefined && numberOf(field, weekday) !== null;
}

function numberOf(field: Field, text: string): number | null {
  if (/^\d+$/.test(text)) return Number(text);
  const word = field.words.indexOf(text);
  return word === -1 || text === 'l' ? null : word + field.min;
}
