/** The runner itself, below the process that keeps it running and updates it. */

import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, realpathSync, rmSync } from 'node:fs';
import path from 'node:path';
import { request } from 'undici';
import { logger } from '@/lib/platform/logger';
import { parseRunnerEnv } from '../env';
import { readText, writeWhole } from '../files';
import { runRunner } from '../program';
import type { ProgramUpdates } from '../self-update';
import type { RunnerMessage } from './messages';
import { checksumOf, dropFailure, programFileAt, readFailure, stageProgram } from './program-file';

const FETCH_MS = 120_000;

/**
 * Resolves when the runner has ended.
 *
 * @param files.own the file that this process runs
 * @param files.current the file in place, which is another one while an update is tried
 */
export async function runBelow(
  environment: Record<string, string | undefined>,
  { own, current }: { own: string; current: string },
): Promise<void> {
  const env = parseRunnerEnv(environment);
  const program = programFileAt(current);
  const sha256 = checksumOf(own);
  const root = unpackCarried(env.dir, sha256);
  const updates: ProgramUpdates = {
    kind: 'file',
    sha256,
    stage: async (wanted) => stageProgram(program, await fetchProgram(env.url, wanted)),
    restartInto: (wanted) => tell({ kind: 'update', sha256: wanted }),
    failure: () => readFailure(program),
    forgetFailure: () => dropFailure(program),
    onOnline() {
      tell({ kind: 'online' });
      if (own === current) removeOtherVersions(realpathSync(env.dir), realpathSync(root));
    },
  };
  // Killed: this process must not run on without what updates and stops it.
  process.once('disconnect', () => {
    logger.warn('the process above this runner has ended');
    process.kill(process.pid, 'SIGTERM');
  });
  await runRunner(environment, { root: path.resolve(root), updates });
}

function tell(message: RunnerMessage): void {
  process.send?.(message);
}

/** @throws Error that says what to do when what arrives isn't the file that was announced */
async function fetchProgram(url: string, wanted: string): Promise<Uint8Array> {
  const answer = await request(`${url}/runner.mjs`, {
    headersTimeout: FETCH_MS,
    bodyTimeout: FETCH_MS,
    signal: AbortSignal.timeout(FETCH_MS),
  });
  const content = new Uint8Array(await answer.body.arrayBuffer());
  if (answer.statusCode !== 200) {
    throw new Error(`${url}/runner.mjs answered ${answer.statusCode}.`);
  }
  const found = createHash('sha256').update(content).digest('hex');
  if (found === wanted) return content;
  throw new Error(
    `The file from ${url}/runner.mjs has the checksum ${found.slice(0, 12)} instead of ${wanted.slice(0, 12)}. It was changed on its way, or Tierwatch was upgraded in the meantime. Update again; if that fails too, look for a proxy that changes what it passes on.`,
  );
}

// The programs that the single file carries for the agents' side, and puts onto the disk.

/** Content by path; set by scripts/bootstrap/programs.mjs. */
declare const TIERWATCH_CARRIED: Record<string, string>;

/**
 * Unpacks them into a folder of this version of the runner, and replaces what was changed there.
 *
 * @param dir the runner's folder
 * @param version stands for the runner's file
 * @returns the folder, laid out like a checkout
 */
function unpackCarried(dir: string, version: string): string {
  const root = path.join(dir, 'program', version.slice(0, 16));
  for (const [name, content] of Object.entries(TIERWATCH_CARRIED)) {
    const file = path.join(root, name);
    if (existsSync(file) && readText(file) === content) continue;
    mkdirSync(path.dirname(file), { recursive: true, mode: 0o700 });
    writeWhole(file, content);
  }
  return root;
}

/** Deletes what other versions of the runner have unpacked. */
function removeOtherVersions(dir: string, root: string): void {
  const all = path.join(dir, 'program');
  for (const name of readdirSync(all)) {
    const folder = path.join(all, name);
    if (folder !== root) rmSync(folder, { recursive: true, force: true });
  }
}
