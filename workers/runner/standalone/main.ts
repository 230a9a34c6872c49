/**
 * The runner as one file for a host that has Node and nothing else; the control plane serves it as
 * `/runner.mjs`.
 *
 *     start [--url <address>] [--name <name>] [--slots <count>] [--service]
 *
 * The enrollment token is in TIERWATCH_ENROLLMENT_TOKEN, since anyone on a host may read arguments.
 */
import './require-node';
import { realpathSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { enrolOnce } from '../enrol';
import { parseRunnerEnv, type RunnerEnv } from '../env';
import { readHome } from '../runner-key';
import { installService } from './install-service';
import { keepRunning } from './keep-running';
import { programFileAt } from './program-file';
import { runBelow } from './run-below';

const USAGE = `Usage: node tierwatch-runner.mjs start [--url <address>] [--name <name>] [--slots <count>] [--service]

  --url      address of Tierwatch; stored at the first start
  --name     name shown on the Runners page; the host name unless given
  --slots    maximum concurrent attempts
  --service  install and start a systemd user service instead of running here

The first start needs an enrollment token in TIERWATCH_ENROLLMENT_TOKEN: choose Add runner on the Runners page.
`;

const own = realpathSync(process.argv[1] ?? '');

async function start(args: string[]): Promise<number> {
  const { values } = parseArgs({
    args,
    options: {
      url: { type: 'string' },
      name: { type: 'string' },
      slots: { type: 'string' },
      service: { type: 'boolean', default: false },
    },
  });
  const { TIERWATCH_ENROLLMENT_TOKEN: token, ...given } = process.env;
  const slots = values.slots ? { TIERWATCH_RUNNER_CONCURRENCY: values.slots } : {};
  const environment: NodeJS.ProcessEnv = { ...given, ...slots };
  const url = values.url || environment.TIERWATCH_URL || (await homeOf(environment));
  if (!url) {
    throw new Error(
      'This host is not connected yet. Choose Add runner on the Runners page of Tierwatch and run the command it shows here.',
    );
  }
  const env = parseRunnerEnv({ ...environment, TIERWATCH_URL: url });
  const service = values.service ? await installService(env, own) : null;
  if (token) await enrolOnce({ env, token, name: values.name });
  if (service) {
    await service.start();
    return 0;
  }
  return keepRunning({
    program: programFileAt(own),
    environment: { ...environment, TIERWATCH_URL: env.url },
    onlineWithinMs: env.updateSeconds * 1_000,
  });
}

/** The folder is the only thing that is asked for before the address is known. */
function homeOf(environment: RunnerEnv['source']): Promise<string | null> {
  const { dir } = parseRunnerEnv({ ...environment, TIERWATCH_URL: 'http://127.0.0.1' });
  return readHome(dir);
}

try {
  const [command, ...args] = process.argv.slice(2);
  if (command === 'start') process.exit(await start(args));
  if (command === 'run') {
    await runBelow(process.env, { own, current: args[0] ?? own });
    process.exit(0);
  }
  process.stdout.write(USAGE);
  process.exit(command === undefined || command === '--help' ? 0 : 2);
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exit(1);
}
