import { formatSpan } from '@/lib/platform/format/duration';
import { instantOf, nextRunAt } from '../schedules/next-run';
import { validateSchedule } from '../schedules/validate';
import type { MaintenanceWindow } from './schema';
import { nextWindows, windowWords } from './window';

/** Number of starts that are checked for overlapping windows. */
const LOOKED_AT = 40;

/**
 * Returns problems with windows by the path of the field. A window that has ended is refused unless
 * it was there before, so that nobody has to delete last month's window to change something else.
 */
export function maintenanceProblems(
  windows: readonly MaintenanceWindow[],
  before: readonly MaintenanceWindow[],
  now: Date,
): Record<string, string> {
  const known = new Set(before.map((window) => JSON.stringify(window)));
  const names = windows.map(({ name }) => name);
  const fields: Record<string, string> = {};
  windows.forEach((window, index) => {
    const at = `maintenance.${index}`;
    if (names.indexOf(window.name) !== index) {
      fields[`${at}.name`] = 'This name is used by another window. Pick a different one.';
    }
    const isKnown = known.has(JSON.stringify(window));
    const problem = zoneProblem(window, now) ?? whenProblem(window, isKnown, now);
    if (problem) fields[`${at}.${problem.field}`] = problem.error;
  });
  return fields;
}

interface Problem {
  field: string;
  error: string;
}

function zoneProblem({ timeZone }: MaintenanceWindow, now: Date): Problem | null {
  const answer = validateSchedule({ kind: 'manual', timeZone }, now);
  return answer.ok ? null : { field: 'timeZone', error: answer.error };
}

function whenProblem(window: MaintenanceWindow, isKnown: boolean, now: Date): Problem | null {
  const { when, timeZone } = window;
  if (when.kind === 'once') {
    const startsAt = instantOf(when.startsAt, timeZone);
    const endsAt = instantOf(when.endsAt, timeZone);
    if (!startsAt) return noSuchTime('startsAt', when.startsAt);
    if (!endsAt) return noSuchTime('endsAt', when.endsAt);
    if (endsAt <= startsAt) {
      return { field: 'when.endsAt', error: 'The window ends before it starts. Set a later end.' };
    }
    if (endsAt <= now && !isKnown) {
      const error = 'The window has already ended, so it would never open. Set a later end.';
      return { field: 'when.endsAt', error };
    }
    return null;
  }
  const schedule = { kind: 'cron', expression: when.expression, timeZone } as const;
  const answer = validateSchedule(schedule, now);
  if (!answer.ok) return { field: 'when.expression', error: answer.error };
  const gapSeconds = shortestGap(schedule, now);
  if (gapSeconds !== null && when.durationSeconds >= gapSeconds) {
    const error = `It starts again after ${formatSpan(gapSeconds)}, so it would never close. Make it shorter, or repeat it less often.`;
    return { field: 'when.durationSeconds', error };
  }
  return null;
}

function noSuchTime(field: 'startsAt' | 'endsAt', text: string): Problem {
  return {
    field: `when.${field}`,
    error: `${text.replace('T', ' ')} doesn’t exist. Check the date.`,
  };
}

/** Between two beginnings; null where it begins only once more. */
function shortestGap(
  schedule: { kind: 'cron'; expression: string; timeZone: string },
  now: Date,
): number | null {
  const starts: Date[] = [];
  let start = nextRunAt(schedule, now);
  while (start !== null && starts.length < LOOKED_AT) {
    starts.push(start);
    start = nextRunAt(schedule, start);
  }
  const gaps = starts.slice(1).map((at, index) => {
    const earlier = starts[index] ?? at;
    return (at.getTime() - earlier.getTime()) / 1_000;
  });
  return gaps.length > 0 ? Math.min(...gaps) : null;
}

export interface WindowPreview {
  /** `At 22:00, only on Saturday (Europe/Berlin), for 4h` */
  words: string;
  /** The next three times, ISO 8601; none for a window that is over. */
  next: { startsAt: string; endsAt: string }[];
  /** By field of the window: `when.endsAt`. */
  problems: Record<string, string>;
}

const SHOWN = 3;

/** Returns when a window opens, in words and as the next times, or its error. */
export function previewWindow(window: MaintenanceWindow, now: Date): WindowPreview {
  // A window that has ended is only reported: whether it may be saved depends on what was there
  // before.
  const found = maintenanceProblems([window], [window], now);
  const problems = Object.fromEntries(
    Object.entries(found).map(([path, error]) => [path.replace('maintenance.0.', ''), error]),
  );
  const isSound = Object.keys(problems).length === 0;
  return {
    words: isSound ? windowWords(window) : '',
    next: isSound
      ? nextWindows(window, now, SHOWN).map(({ startsAt, endsAt }) => ({
          startsAt: startsAt.toISOString(),
          endsAt: endsAt.toISOString(),
        }))
      : [],
    problems,
  };
}
