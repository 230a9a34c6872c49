/** What can be wrong with an installation: the closed sets, and what the watchdog finds. */

/** The parts of an installation that monitor each other. */
export const PROBLEM_COMPONENTS = [
  'web',
  'worker',
  'job',
  'queue',
  'schedule',
  'runner',
  'check',
  'database',
  'disk',
] as const;
export type ProblemComponent = (typeof PROBLEM_COMPONENTS)[number];

export const PROBLEM_KINDS = [
  'not_reporting',
  'missed_slot',
  'growing',
  'no_next_run',
  'offline',
  'clock_off',
  'overdue',
  'nearly_full',
] as const;
export type ProblemKind = (typeof PROBLEM_KINDS)[number];

/** What a problem is about: there is at most one open problem for each. */
export interface ProblemKey {
  component: ProblemComponent;
  kind: ProblemKind;
  /** The job, queue or process; empty where the component has only one. */
  subject: string;
}

/** Numbers by name. Never a name, an id or a text of an organization. */
export type ProblemFigures = Readonly<Record<string, number>>;

/**
 * One comparison. `unknown`: it can't be made now, so a problem that is open stays open and none is
 * opened.
 */
export interface Verdict extends ProblemKey {
  state: 'present' | 'absent' | 'unknown';
  /** The earliest known beginning; the time of the comparison otherwise. */
  since: Date;
  figures: ProblemFigures;
}

export interface OpenProblem extends ProblemKey {
  /** UUID. */
  id: string;
  clearSince: Date | null;
}

/** @returns what is equal for equal keys */
export function keyOf({ component, kind, subject }: ProblemKey): string {
  return JSON.stringify([component, kind, subject]);
}
