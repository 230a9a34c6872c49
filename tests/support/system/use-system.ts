/** A system for a whole test file; what its processes said is shown when a test fails. */
import { rmSync } from 'node:fs';
import { afterAll, beforeAll, type RunnerTask } from 'vitest';
import { useTestDatabase } from '../database';
import { type System, type SystemOptions, startSystem } from './system';

const SHOWN_LINES = 25;

/**
 * Call at the top of the file; use the result inside tests and hooks only. `prepare` runs once
 * the system stands: runners, webhook receivers and whatever else every test needs.
 */
export function useSystem(
  options: SystemOptions = {},
  prepare: (system: System) => Promise<void> = async () => {},
): System {
  const database = useTestDatabase();
  const system = {} as System;
  beforeAll(async () => {
    Object.assign(system, await startSystem(database, options));
    await prepare(system);
  });
  // biome-ignore lint/correctness/noEmptyPattern: vitest reads the pattern, and the second is the file
  afterAll(async ({}, file) => {
    if (!system.dataDir) return;
    await system.close();
    if (file.tasks.some(hasFailed)) {
      process.stderr.write(`${lastWords(system)}\nKept: ${system.dataDir}/logs\n`);
    } else {
      rmSync(system.dataDir, { recursive: true, force: true, maxRetries: 5 });
    }
  });
  return system;
}

function hasFailed(task: RunnerTask): boolean {
  if (task.result?.state === 'fail') return true;
  return task.type === 'suite' && task.tasks.some(hasFailed);
}

function lastWords(system: System): string {
  return system
    .processes()
    .map((process) => {
      try {
        const lines = process.output().trimEnd().split('\n').slice(-SHOWN_LINES);
        return `--- ${process.name}\n${lines.join('\n')}`;
      } catch {
        return `--- ${process.name} was not started`;
      }
    })
    .join('\n');
}
