import { logger } from '@/lib/platform/logger';
import { enrolRunner } from './enrol';
import type { RunnerEnv } from './env';
import { findRunnerKey, readHome } from './runner-key';

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
