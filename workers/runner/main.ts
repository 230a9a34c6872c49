/**
 * The runner's program, as a service manager starts it.
 *
 *     main.ts                                     runs until SIGTERM or SIGINT
 *     main.ts enrol --url <address> --token <t>   stores the key of a new runner
 */
import { parseArgs } from 'node:util';
import { enrolRunner } from './enrol';
import { parseRunnerEnv } from './env';
import { runRunner } from './program';

async function enrol(args: string[]): Promise<void> {
  const { values } = parseArgs({
    args,
    options: { url: { type: 'string' }, token: { type: 'string' }, name: { type: 'string' } },
  });
  const { url, token, name } = values;
  if (!url || !token)
    throw new Error('Usage: enrol --url <address> --token <token> [--name <name>]');
  const { dir } = parseRunnerEnv({ ...process.env, TIERWATCH_URL: url });
  const enrolled = await enrolRunner({ url, token, dir, name });
  process.stdout.write(`Enrolled in pool ${enrolled.pool}. The key is in ${enrolled.keyFile}.\n`);
}

try {
  const [command, ...args] = process.argv.slice(2);
  if (command === 'enrol') await enrol(args);
  else await runRunner(process.env);
  process.exit(0);
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exit(1);
}
