/** Which of the pinned versions of the CLI a test runs with. */
import { inject } from 'vitest';
import type { FetchedCli } from './fetch-clis.mts';

/** All of them: where they differ, and what the product relies on to be true of each. */
export function everyCli(): FetchedCli[] {
  return inject('clis');
}

/** A list of the newest alone: what our own code does, with a CLI as the means. */
export function newestCli(): FetchedCli[] {
  return inject('clis').slice(-1);
}
