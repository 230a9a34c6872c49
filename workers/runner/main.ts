/**
 * The runner's program.
 *
 *     main.ts                                     runs until SIGTERM or SIGINT
 *     main.ts enrol --url <address> --token <t>   stores the key of a new runner
 */
import path from 'node:path';
import { parseArgs } from 'node:util';
import { HARNESSES } from '@/lib/harness/registry';
import { exitWhenParentGone } from '@/lib/lifeline';
import { logger } from '@/lib/logger';
import { enrolRunner } from './enrol';
import { parseRunnerEnv } from './env';
import { bundleCheckServer } from './mcp/bundle-check-server';
import { openQueueSource } from './queue-source';
import { startRunner } from './runner';
import { readRunnerKey } from './runner-key';

const root = path.resolve(import.meta.dirname, '../..');

async function enrol(args: string[]): Promise<void> {
  const { values } = parseArgs({
    args,
    options: { url: { type: 'string' }, token: { type: 'string' }, name: { type: 'string' } },
  });
  const { url, token, name } = values;
  if (!url || !token)
    throw new Error('Wanted: enrol --url <address> --token <token> [--name <name>]');
  const { dir } = parseRunnerEnv({ ...process.env, TIERWATCH_URL: url });
  const enrolled = await enrolRunner({ url, token, dir, ...(name ? { name } : {}) });
  process.stdout.write(`Enrolled in pool ${enrolled.pool}. The key is in ${enrolled.keyFile}.\n`);
}

async function start(): Promise<void> {
  exitWhenParentGone();
  const env = parseRunnerEnv(process.env);
  const key = await readRunnerKey(env);
  const { queue } = env;
  if (!queue) {
    throw new Error('This runner has no queue. Set TIERWATCH_RUNNER_QUEUE_URL or REDIS_URL.');
  }
  const openSource = ({ queues }: { queues: string[] }) => openQueueSource(queue, queues);
  const checkServerFile = await bundleCheckServer(root, env.dir);
  const harnesses = HARNESSES;
  const runner = await startRunner({ env, key, root, checkServerFile, harnesses, openSource });
  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    process.on(signal, () => {
      logger.info({ signal }, 'ending');
      void runner.stop();
    });
  }
  await runner.ended;
}

try {
  const [command, ...args] = process.argv.slice(2);
  if (command === 'enrol') await enrol(args);
  else await start();
  process.exit(0);
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exit(1);
}
