/** What the page of a new project says about its isolation. */

interface PoolRunner {
  name: string;
  canConfine: boolean;
  /** Sentences; empty where it can. */
  why: string;
  fix: string;
}

/**
 * Returns what a new project in a pool begins with, as `newProjectConfig` decides it.
 *
 * @param runners every runner of the pool, without revoked ones
 */
export function isolationNote(runners: readonly PoolRunner[]): string {
  const others = runners.filter(({ canConfine }) => !canConfine);
  const [first] = others;
  if (runners.length === 0) {
    return 'Its agents will run unconfined unless a runner of this pool can confine agents when you create the project. Connect it first, or turn isolation on later in the settings.';
  }
  if (others.length === runners.length) {
    const reason = [first?.why, first?.fix].filter(Boolean).join(' ');
    return `Its agents will run unconfined, with the rights of the runner’s account: ${named(others)} can’t confine them. ${reason}`.trim();
  }
  const start = 'The project will be confined: its agents run in a sandbox.';
  return first ? `${start} On ${named(others)} nothing of it starts. ${first.why}`.trim() : start;
}

function named(runners: readonly PoolRunner[]): string {
  return runners.map(({ name }) => name).join(', ');
}
