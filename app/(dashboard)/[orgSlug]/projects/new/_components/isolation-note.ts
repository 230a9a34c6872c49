/** What the page of a new project says about the isolation of tiers 2 and 3. */

interface PoolRunner {
  name: string;
  /** Of tiers above 1. */
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
    return 'Tiers 2 and 3 will run unconfined unless a runner of this pool can confine agents when you create the project. Connect it first, or turn isolation on later in the settings.';
  }
  if (others.length === runners.length) {
    const reason = [first?.why, first?.fix].filter(Boolean).join(' ');
    return `Tiers 2 and 3 will run unconfined, with the rights of the runner’s account: ${named(others)} can’t confine their agents. ${reason}`.trim();
  }
  const start = 'Tiers 2 and 3 will require isolation: their agents run in a sandbox.';
  return first ? `${start} On ${named(others)} they won’t start. ${first.why}`.trim() : start;
}

function named(runners: readonly PoolRunner[]): string {
  return runners.map(({ name }) => name).join(', ');
}
