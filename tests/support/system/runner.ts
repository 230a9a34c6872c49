/** Runners of a started system: let in as an operator does it, on a folder of their own. */

import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { enrolmentDtoSchema } from '@/lib/fleet/schema';
import { programFile } from '@/scripts/bootstrap/programs.mjs';
import { enrolRunner as enrolHost } from '@/workers/runner/enrol';
import type { ApiClient } from './api-client';
import { type ProductProcess, productProcess } from './product-process';
import { keepProofs, takeProofs } from './shared-folder';

export interface RunnerOptions {
  name: string;
  pool?: string;
  /** CLAUDE_BIN, ANTHROPIC_BASE_URL, and whatever else the host would set. */
  env?: Record<string, string>;
}

export interface RunnerProcess extends ProductProcess {
  /** TIERWATCH_RUNNER_DIR */
  dir: string;
}

export interface EnrolledRunner extends RunnerProcess {
  /** Another process with the same settings on another folder; it is not started yet. */
  twin(name: string, dir: string): ProductProcess;
}

const PROGRAM = [programFile('runner')];

/** Enrols with a one-time token; the process is not started yet. */
export async function enrolRunner(
  system: { api: ApiClient; url: string; dataDir: string },
  runnerEnvironment: Record<string, string | undefined>,
  { name, pool = 'default', env = {} }: RunnerOptions,
): Promise<EnrolledRunner> {
  const dir = path.join(system.dataDir, 'runners', name);
  mkdirSync(dir, { recursive: true, mode: 0o700 });
  takeProofs(dir);
  const environment = { ...runnerEnvironment, ...env, TIERWATCH_RUNNER_DIR: dir };
  const { token } = await system.api.post('runners', { pool }, enrolmentDtoSchema);
  await enrolHost({ url: system.url, token, dir, name });
  const logs = path.join(system.dataDir, 'logs');
  const spec = { name: `runner-${name}`, args: PROGRAM, env: environment };
  const runner = productProcess(spec, logs);
  const { end } = runner;
  return Object.assign(runner, {
    dir,
    async end(signal?: 'SIGTERM' | 'SIGKILL') {
      await end(signal);
      keepProofs(dir);
    },
    twin(twinName: string, twinDir: string) {
      const twinEnv = { ...environment, TIERWATCH_RUNNER_DIR: twinDir };
      return productProcess({ ...spec, name: `runner-${twinName}`, env: twinEnv }, logs);
    },
  });
}
