/** Global set-up: the pinned CLIs, or one line that says why they are not there. */
import type { TestProject } from 'vitest/node';
import { fetchClis, fetchProblem } from '../../../scripts/fetch-cli.mjs';

export interface FetchedCli {
  version: string;
  binary: string;
  problem: string | null;
}

declare module 'vitest' {
  export interface ProvidedContext {
    clis: FetchedCli[];
  }
}

export default async function setup(project: TestProject) {
  const clis = await fetchClis();
  const problem = fetchProblem(clis);
  if (problem !== null) console.warn(problem);
  project.provide('clis', clis);
}
