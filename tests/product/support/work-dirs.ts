import { existsSync, mkdirSync, readdirSync, rmSync } from 'node:fs';
import path from 'node:path';
import type { RunnerProcess } from '../../support/system/runner';

/** Deletes the work directories of a runner's projects and creates them again, under the same paths. */
export function remakeWorkDirs(runner: RunnerProcess): void {
  const projects = path.join(runner.dir, 'projects');
  for (const organization of readdirSync(projects)) {
    for (const project of readdirSync(path.join(projects, organization))) {
      for (const work of ['work', 'open/work']) {
        const workDir = path.join(projects, organization, project, work);
        if (!existsSync(workDir)) continue;
        rmSync(workDir, { recursive: true });
        mkdirSync(workDir, { mode: 0o700 });
      }
    }
  }
}
