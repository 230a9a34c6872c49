import type { Command } from 'commander';
import { enrolmentDtoSchema } from '@/lib/fleet/schema';
import { parseRunnerEnv } from '@/workers/runner/env';
import type { ContextOf } from '../context';

export function addRunnerCommands(program: Command, contextOf: ContextOf): void {
  const runner = program.command('runner').description('Runner hosts');
  runner
    .command('enrol')
    .description('Enroll this host and store its key in the runner folder')
    .option(
      '--token <enrollment token>',
      'from the Runners page; without it, TIERWATCH_TOKEN creates one',
    )
    .option('--pool <pool>', 'pool to join when TIERWATCH_TOKEN creates the token', 'default')
    .option('--name <name>', 'name shown on the Runners page; defaults to the host name')
    .action(async (options, command) => {
      const { api, print } = contextOf(command);
      const { enrolRunner } = await import('@/workers/runner/enrol');
      const { dir } = parseRunnerEnv({ ...process.env, TIERWATCH_URL: api.url });
      const token =
        options.token ??
        (await api.request('POST', 'runners', enrolmentDtoSchema, { pool: options.pool })).token;
      const enrolled = await enrolRunner({ url: api.url, token, dir, name: options.name });
      const { name, pool, keyFile } = enrolled;
      print(`Enrolled ${name} in pool ${pool}. The key is in ${keyFile}.`, enrolled);
    });
  runner
    .command('start')
    .description('Run attempts on this host until SIGTERM or Ctrl-C')
    .option('--token <enrollment token>', 'enrolls this host at its first start')
    .option('--name <name>', 'name shown on the Runners page; defaults to the host name')
    .option(
      '--slots <count>',
      'maximum concurrent attempts; overrides TIERWATCH_RUNNER_CONCURRENCY',
    )
    .action(async (options, command) => {
      const named = command.optsWithGlobals().url || process.env.TIERWATCH_URL;
      const { dir } = parseRunnerEnv({ ...process.env, TIERWATCH_URL: contextOf(command).api.url });
      const { readHome } = await import('@/workers/runner/runner-key');
      const url = named || (await readHome(dir)) || contextOf(command).api.url;
      const { runRunner } = await import('@/workers/runner/program');
      const slots = options.slots ? { TIERWATCH_RUNNER_CONCURRENCY: options.slots } : {};
      const environment = { ...process.env, TIERWATCH_URL: url, ...slots };
      await runRunner(environment, { token: options.token, name: options.name });
      // Keep-alive connections and timers would keep it for a while.
      process.exit();
    });
}
