/** The runner as a program: runs until a signal, and lets its host in first where it has a token. */

import { setTimeout as wait } from 'node:timers/promises';
import { AGENTS } from '@/lib/agents/registry';
import { installationRoot } from '@/lib/platform/installation-root';
import { logger } from '@/lib/platform/logger';
import { exitWhenParentGone } from '@/scripts/bootstrap/lifeline.mjs';
import { isInRepository } from '@/scripts/bootstrap/runner-folder.mjs';
import type { AttemptSource } from './claim-loop';
import type { ControlPlane } from './control-plane/client';
import { backoffMs } from './control-plane/retry-until-deadline';
import { enrolOnce } from './enrol';
import { parseRunnerEnv, type RunnerEnv } from './env';
import { settledRunnerKey } from './identity';
import { isDiskFull } from './process/start-error';
import { openQueueSource } from './queue-source';
import { type RunnerOptions, startRunner } from './runner';
import type { ProgramUpdates } from './self-update';

export interface StartOptions {
  /** Lets this host in at its first start; later ones have the key. */
  token?: string | undefined;
  /** Shown on the runner page; the host's name where absent. */
  name?: string | undefined;
  /** The folder of the programs beside an agent; the checkout where absent. */
  root?: string;
  /** Where this program can be replaced on request. */
  updates?: ProgramUpdates;
}

/**
 * Resolves when the runner has ended: by a signal, or since the control plane revoked it.
 *
 * @throws Error that says what to do, also where the disk of its folder is full
 */
export async function runRunner(
  environment: Record<string, string | undefined>,
  options: StartOptions = {},
): Promise<void> {
  exitWhenParentGone();
  const env = parseRunnerEnv(environment);
  try {
    await run(env, options);
  } catch (error) {
    if (!isDiskFull(error)) throw error;
    throw new Error(
      `The disk of this runner’s folder ${env.dir} is full. Free some space on it, then start the runner again. What it has not delivered yet is kept.`,
    );
  }
}

async function run(env: RunnerEnv, options: StartOptions): Promise<void> {
  const { token, name, root = installationRoot(), updates = null } = options;
  if (isInRepository(env.dir)) {
    const fix = 'Stop the runner, move the folder out of it, and set TIERWATCH_RUNNER_DIR.';
    logger.warn({ dir: env.dir, fix }, 'the runner’s folder is in a git repository');
  }
  if (token !== undefined) await enrolOnce({ env, token, name });
  const key = await settledRunnerKey(env);
  const { queue } = env;
  // The operator's own hosts have a login to the queue; all others reach the web address alone.
  const openSource: RunnerOptions['openSource'] = ({ queues }, controlPlane) =>
    queue ? openQueueSource(queue, queues) : openHttpsSource(controlPlane);
  const runner = await startRunner({ env, key, root, harnesses: AGENTS, openSource, updates });
  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    process.on(signal, () => {
      logger.info({ signal }, 'shutting down');
      void runner.stop();
    });
  }
  await runner.ended;
}

const RETRY = { firstMs: 250, maxMs: 5_000 };
/** "None" sooner than this was not held: the control plane is going down. */
const HELD_MS = 1_000;

/**
 * Claims attempts by long polling, for hosts that can only reach the web address. The control plane
 * acknowledges the queue's jobs, so there is no job to acknowledge here.
 */
export function openHttpsSource(controlPlane: Pick<ControlPlane, 'nextAttempt'>): AttemptSource {
  const closing = new AbortController();
  let failures = 0;

  async function ask(signal: AbortSignal): Promise<string | null> {
    const askedAt = Date.now();
    try {
      const attemptId = await controlPlane.nextAttempt(signal);
      const wasHeld = attemptId !== null || Date.now() - askedAt > HELD_MS;
      failures = wasHeld ? 0 : failures + 1;
      return attemptId;
    } catch (error) {
      if (signal.aborted) return null;
      if (failures === 0) logger.warn({ error: String(error) }, 'asking for attempts failed');
      failures += 1;
      return null;
    }
  }

  return {
    async next(given) {
      const signal = AbortSignal.any([given, closing.signal]);
      while (!signal.aborted) {
        const attemptId = await ask(signal);
        if (attemptId !== null) return { attemptId, done: async () => {} };
        if (failures === 0) continue;
        const delayMs = backoffMs(failures - 1, RETRY, Math.random());
        await wait(delayMs, undefined, { signal }).catch(() => {});
      }
      return null;
    },
    async close() {
      closing.abort();
    },
  };
}
