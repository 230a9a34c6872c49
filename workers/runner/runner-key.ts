/** The runner's own key, kept in its folder so that only its user can read it. */
import { chmod, mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { RunnerEnv } from './env';

export function runnerKeyFile(dir: string): string {
  return path.join(dir, 'runner-key');
}

/** From the environment, else from the file. @throws Error that says how to enrol. */
export async function readRunnerKey(env: Pick<RunnerEnv, 'key' | 'dir'>): Promise<string> {
  if (env.key) return env.key;
  const file = runnerKeyFile(env.dir);
  const content = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return '';
    throw error;
  });
  const key = content.trim();
  if (key) return key;
  throw new Error(
    `This runner has no key. ${file} is missing or empty. Enrol it with: runner enrol --url <address> --token <token>, or set TIERWATCH_RUNNER_KEY.`,
  );
}

export async function writeRunnerKey(dir: string, key: string): Promise<string> {
  await mkdir(dir, { recursive: true, mode: 0o700 });
  await chmod(dir, 0o700);
  const file = runnerKeyFile(dir);
  // Renamed into place: a start in the same moment reads the old key or the new one, never half.
  await writeFile(`${file}.new`, `${key}\n`, { mode: 0o600 });
  await rename(`${file}.new`, file);
  return file;
}
