/** Which runner of a pool runs the checks of a project. Pure. */

export interface CheckerCandidate {
  id: string;
  /** Whether it takes new work: it is neither drained nor paused. */
  takesWork: boolean;
  /** Of how many projects it runs the checks. */
  projects: number;
}

/**
 * Returns the runner that should run the checks of a project: the one that does if it still can, else the
 * one with the fewest projects. A drained or paused one only if there is none that takes work.
 *
 * @param current the runner that runs them now; null if none does
 * @param able runners of the pool that are online and can run checks
 * @returns null if there is none
 */
export function chooseChecker(
  current: string | null,
  able: readonly CheckerCandidate[],
): string | null {
  const working = able.filter(({ takesWork }) => takesWork);
  const among = working.length > 0 ? working : able;
  if (among.some(({ id }) => id === current)) return current;
  const [first] = among.toSorted(
    (one, other) => one.projects - other.projects || (one.id < other.id ? -1 : 1),
  );
  return first?.id ?? null;
}
