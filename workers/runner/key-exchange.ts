/**
 * The exchange of the runner's key: fetch the new one, store it, confirm it, forget the old one.
 * At whatever point it breaks off, one of the two stored keys is good.
 */
import { logger } from '@/lib/platform/logger';
import { type ControlPlane, createControlPlane } from './control-plane/client';
import { isKeyRefused } from './control-plane/failure';
import { retryUntilDeadline } from './control-plane/retry-until-deadline';
import type { RunnerEnv } from './env';
import { runnerIdentity } from './identity';
import { dropNextKey, keepNextKey, readNextKey, readRunnerKey, writeNextKey } from './runner-key';

const CONFIRM_MS = 60_000;

/** @returns the new key. @throws ControlPlaneError; the next directive tries again. */
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
