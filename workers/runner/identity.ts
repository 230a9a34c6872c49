import { randomUUID } from 'node:crypto';
import { linkSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { z } from 'zod';
import { logger } from '@/lib/platform/logger';
import { type ControlPlane, createControlPlane } from './control-plane/client';
import { isKeyRefused } from './control-plane/failure';
import { retryUntilDeadline } from './control-plane/retry-until-deadline';
import type { RunnerEnv } from './env';
import { readText } from './files';
import { dropNextKey, keepNextKey, readNextKey, readRunnerKey, writeNextKey } from './runner-key';

/** What tells this process from others that use the same key. */
export interface RunnerIdentity {
  /** Drawn for each process. */
  processId: string;
  /** Of the folder: a restart after a kill is known by it, and takes over at once. */
  instanceId: string;
}

export function runnerIdentity(dir: string): RunnerIdentity {
  return { processId: randomUUID(), instanceId: readInstance(dir) ?? makeInstance(dir) };
}

function instanceFile(dir: string): string {
  return path.join(dir, 'instance');
}

function readInstance(dir: string): string | null {
  return z.uuid().safeParse(readText(instanceFile(dir)).trim()).data ?? null;
}

function makeInstance(dir: string): string {
  const made = randomUUID();
  const whole = `${instanceFile(dir)}.${made}`;
  writeFileSync(whole, `${made}\n`, { mode: 0o600 });
  try {
    rmSync(instanceFile(dir), { force: true });
    linkSync(whole, instanceFile(dir));
  } finally {
    rmSync(whole, { force: true });
  }
  return made;
}

const CONFIRM_MS = 60_000;

/**
 * Exchanges the runner's key: fetches the new one, stores it, confirms it, forgets the old one. At
 * whatever point it breaks off, one of the two stored keys is good.
 *
 * @returns the new key
 * @throws ControlPlaneError; the next directive tries again
 */
export async function exchangeKey(
  controlPlane: Pick<ControlPlane, 'newKey' | 'confirmKey'>,
  dir: string,
): Promise<string> {
  const key = await controlPlane.newKey();
  await writeNextKey(dir, key);
  await retryUntilDeadline(() => controlPlane.confirmKey(key), { forMs: CONFIRM_MS });
  await keepNextKey(dir);
  logger.info('runner key rotated');
  return key;
}

/** The key to start with, after an exchange that an earlier process left half done. */
export async function settledRunnerKey(env: RunnerEnv): Promise<string> {
  const next = env.key ? null : await readNextKey(env.dir);
  if (next === null) return readRunnerKey(env);
  const controlPlane = createControlPlane({
    url: env.url,
    key: next,
    identity: runnerIdentity(env.dir),
  });
  try {
    await retryUntilDeadline(() => controlPlane.confirmKey(next), {
      forMs: Number.POSITIVE_INFINITY,
    });
    await keepNextKey(env.dir);
  } catch (error) {
    if (!isKeyRefused(error)) throw error;
    await dropNextKey(env.dir);
  } finally {
    await controlPlane.close();
  }
  return readRunnerKey(env);
}
