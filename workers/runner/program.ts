/** The runner as a program: enrol this host, or run it until a signal. */
import { AGENTS } from '@/lib/agents/registry';
import { installationRoot } from '@/lib/platform/installation-root';
import { logger } from '@/lib/platform/logger';
import { exitWhenParentGone } from '@/scripts/bootstrap/lifeline.mjs';
import { enrolOnce } from './enrol-once';
import { parseRunnerEnv } from './env';
import { openHttpsSource } from './https-source';
import { settledRunnerKey } from './key-exchange';
import { openQueueSource } from './queue-source';
import { type RunnerOptions, startRunner } from './runner';

export interface StartOptions {
  /** Lets this host in at its first start; later ones have the key. */
  token?: string | undefined;
  /** Shown on the runner page; the host's name where absent. */
  name?: string | undefined;
}

/** Resolves when the runner has ended: by a signal, or since the control plane revoked it. */
export async function runRunner(
  environment: Record<string, string | undefined>,
  { token, name }: StartOptions = {},
): Promise<void> {
  exitWhenParentGone();
  const env = parseRunnerEnv(environment);
  if (token !== undefined) await enrolOnce({ env, token, name });
  const key = await settledRunnerKey(env);
  const { queue } = env;
  // The operator's own hosts have a login to the queue; all others reach the web address alone.
  const openSource: RunnerOptions['openSource'] = ({ queues }, controlPlane) =>
    queue ? openQueueSource(queue, queues) : openHttpsSource(controlPlane);
  const root = installationRoot();
  const runner = await startRunner({ env, key, root, harnesses: AGENTS, openSource });
  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    process.on(signal, () => {
      logger.info({ signal }, 'shutting down');
      void runner.stop();
    });
  }
  await runner.ended;
}
