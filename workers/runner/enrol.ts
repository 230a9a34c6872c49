import { hostname } from 'node:os';
import { logger } from '@/lib/platform/logger';
import { enrolRequestSchema, PROTOCOL_VERSION } from '@/lib/protocol/schema';
import { createControlPlane } from './control-plane/client';
import type { RunnerEnv } from './env';
import { findRunnerKey, readHome, writeHome, writeRunnerKey } from './runner-key';

/**
 * Trades a one-time token for the runner's own key and stores it in the runner's folder.
 * @throws ControlPlaneError when the token is not taken.
 */
export async function enrolRunner(options: {
  url: string;
  token: string;
  dir: string;
  /** Shown on the runner page; the host's name, with a number if it is taken, where absent. */
  name?: string | undefined;
}): Promise<{ runnerId: string; name: string; pool: string; keyFile: string }> {
  const url = options.url.replace(/\/+$/, '');
  const controlPlane = createControlPlane({ url, key: null });
  try {
    const body = enrolRequestSchema.parse({
      protocol: PROTOCOL_VERSION,
      token: options.token,
      name: options.name ?? hostName(),
      isNameSuggested: options.name === undefined,
    });
    const { runnerId, key, pool, name = body.name } = await controlPlane.enrol(body);
    const keyFile = await writeRunnerKey(options.dir, key);
    await writeHome(options.dir, url);
    return { runnerId, name, pool, keyFile };
  } finally {
    await controlPlane.close();
  }
}

function hostName(): string {
  const name = hostname()
    .replace(/[^A-Za-z0-9._-]/g, '-')
    .replace(/^[^A-Za-z0-9]+/, '');
  return name.slice(0, 60) || 'runner';
}

/**
 * Lets this host in with a one-time token, unless it has its key: the command that was copied once
 * works at every start.
 */
export async function enrolOnce(options: {
  env: Pick<RunnerEnv, 'url' | 'dir' | 'key'>;
  token: string;
  name?: string | undefined;
}): Promise<void> {
  const { env, token, name } = options;
  if (await findRunnerKey(env)) {
    await refuseForeignKey(env);
    logger.info({ dir: env.dir }, 'host already enrolled; token not used');
    return;
  }
  const enrolled = await enrolRunner({ url: env.url, token, dir: env.dir, name });
  logger.info({ name: enrolled.name, pool: enrolled.pool, key: enrolled.keyFile }, 'enrolled');
}

/** A token of one installation beside the key of another: the key must not be shown to the first. */
async function refuseForeignKey({ url, dir }: Pick<RunnerEnv, 'url' | 'dir'>): Promise<void> {
  const home = await readHome(dir);
  if (home === null || home === url) return;
  throw new Error(
    `${dir} holds the key of a runner of ${home}. Set TIERWATCH_RUNNER_DIR to another folder to connect this host to ${url} as well.`,
  );
}
