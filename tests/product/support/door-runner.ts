/** A host that has the printed command and nothing else: no login to the queue, only the web address. */

import { mkdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { enrolmentDtoSchema } from '@/lib/fleet/schema';
import { argsOfPrinted } from '@/tests/support/system/printed-command';
import { productProcess } from '@/tests/support/system/product-process';
import type { RunnerOptions, RunnerProcess } from '@/tests/support/system/runner';
import { takeProofs } from '@/tests/support/system/shared-folder';
import type { System } from '@/tests/support/system/system';

export interface DoorRunner extends RunnerProcess {
  /** What is stored on the host at the moment. */
  key(): string;
}

/** Runs the command that "Add runner" prints, and waits until the runner is online. */
export async function addDoorRunner(
  system: System,
  { name, pool = 'default', env = {} }: RunnerOptions,
): Promise<DoorRunner> {
  const { checkoutCommand: command } = await system.api.post(
    'runners',
    { pool },
    enrolmentDtoSchema,
  );
  const dir = path.join(system.dataDir, 'runners', name);
  mkdirSync(dir, { recursive: true, mode: 0o700 });
  takeProofs(dir);
  const { PATH, HOME } = process.env;
  const spec = {
    name: `runner-${name}`,
    args: [...argsOfPrinted(command), '--name', name],
    env: { PATH, HOME, TIERWATCH_RUNNER_DIR: dir, ...env },
  };
  const runner = productProcess(spec, path.join(system.dataDir, 'logs'));
  system.adopt(runner);
  runner.start();
  await system.runnerIsOnline(name);
  const key = () => readFileSync(path.join(dir, 'runner-key'), 'utf8').trim();
  return Object.assign(runner, { dir, key });
}
