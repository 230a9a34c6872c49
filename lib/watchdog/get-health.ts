/** What is known about the health of the installation. */

import { daysBefore } from '@/lib/platform/db/batches';
import { deleteProblems, listProblems, type ProblemRow } from './data';
import type { ProblemComponent } from './problems';
import { wordsOfProblem } from './sentences';

export interface ProblemDto {
  component: ProblemComponent;
  kind: ProblemRow['kind'];
  /** The job, queue or process; empty where the component has only one. */
  subject: string;
  title: string;
  sentence: string;
  advice: string;
  since: Date;
  /** Null while it is open. */
  until: Date | null;
}

/** Ended ones are listed for this long. */
const LISTED_DAYS = 7;

/**
 * Lists the open problems, then those that ended in the last 7 days, newest first; 100 at most. They hold
 * counts over all organizations.
 *
 * @throws Error while PostgreSQL is away
 */
export async function listInstallationProblems(now = new Date()): Promise<ProblemDto[]> {
  const rows = await listProblems(LISTED_DAYS, now);
  return rows.map((row) => {
    const { component, kind, subject, since, until } = row;
    return { component, kind, subject, since, until, ...wordsOfProblem(row) };
  });
}

/**
 * Lists those that concern every organization. What only some organizations' runners have is shown to
 * these, on their own pages.
 */
export async function listSharedProblems(now = new Date()): Promise<ProblemDto[]> {
  const problems = await listInstallationProblems(now);
  return problems.filter(({ component }) => component !== 'runner' && component !== 'check');
}

const KEPT_DAYS = 400;

/** Deletes problems that ended long ago. @returns how many */
export function pruneProblems(now = new Date()): Promise<number> {
  return deleteProblems(daysBefore(now, KEPT_DAYS));
}
