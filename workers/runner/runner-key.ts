/** The runner's own key, kept in its folder so that only its user can read it. */
import { chmod, mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { RunnerEnv } from './env';

export function runnerKeyFile(dir: string): string {
  return path.join(dir, 'runner-key');
}

/** A key that was handed over and not confirmed yet. */
function nextKeyFile(dir: string): string {
  return `${runnerKeyFile(dir)}.next`;
}

/** From the environment, else from the file; null when there is none. */
export async function findRunnerKey(env: Pick<RunnerEnv, 'key' | 'dir'>): Promise<string | null> {
  return env.key ?? (await readKey(runnerKeyFile(env.dir)));
}

/** @throws Error that says how to enrol. */
export async function readRunnerKey(env: Pick<RunnerEnv, 'key' | 'dir'>): Promise<string> {
  const key = await findRunnerKey(env);
  if (key) return key;
  throw new Error(
    `This runner has no key. ${runnerKeyFile(env.dir)} is missing or empty. Choose Add runner on the Runners page and run its command here (runner start --url <address> --token <token>), or set TIERWATCH_RUNNER_KEY.`,
  );
}

export async function writeRunnerKey(dir: string, key: string): Promise<string> {
  const file = runnerKeyFile(dir);
  await writeKey(file, key);
  return file;
}

/**
 * Records which control plane the key belongs to, so that later starts need no URL and the key is
 * sent nowhere else.
 */
export async function writeHome(dir: string, url: string): Promise<void> {
  await writeKey(homeFile(dir), url);
}

/** The address that this host was enrolled at; null when it was not. */
export function readHome(dir: string): Promise<string | null> {
  return readKey(homeFile(dir));
}

function homeFile(dir: string): string {
  return path.join(dir, 'control-plane');
}

export function readNextKey(dir: string): Promise<string | null> {
  return readKey(nextKeyFile(dir));
}

export function writeNextKey(dir: string, key: string): Promise<void> {
  return writeKey(nextKeyFile(dir), key);
}

/** The new key was confirmed, so the old one no longer works. */
export function keepNextKey(dir: string): Promise<void> {
  return rename(nextKeyFile(dir), runnerKeyFile(dir));
}

export function dropNextKey(dir: string): Promise<void> {
  return rm(nextKeyFile(dir), { force: true });
}

async function readKey(file: string): Promise<string | null> {
  const content = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return '';
    throw error;
  });
  return content.trim() || null;
}

async function writeKey(file: string, key: string): Promise<void> {
  const dir = path.dirname(file);
  await mkdir(dir, { recursive: true, mode: 0o700 });
  await chmod(dir, 0o700);
  // Renamed into place: a start in the same moment reads the old key or the new one, never half.
  await writeFile(`${file}.new`, `${key}\n`, { mode: 0o600 });
  await rename(`${file}.new`, file);
}
