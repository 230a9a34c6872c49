import type { Command } from 'commander';
import { enrolmentDtoSchema } from '@/lib/runners/fleet/schema';
import { parseRunnerEnv } from '@/workers/runner/env';
import type { ContextOf } from '../program';

export function addRunnerCommands(program: Command, contextOf: ContextOf): void {
  const runner = program.command('runner').description('Runner hosts');
  runner
    .command('enrol')
    .description('Let this host in and store its key in the runner folder')
    .option('--token <enrolment token>', 'from the runners page; else TIERWATCH_TOKEN makes one')
    .option('--pool <pool>', 'when TIERWATCH_TOKEN makes the token', 'default')
    .option('--name <name>', "shown on the runners page; the host's name without it")
    .action(async (options, command) => {
      const { api, print } = contextOf(command);
      const { enrolRunner } = await import('@/workers/runner/enrol');
      const { dir } = parseRunnerEnv({ ...process.env, TIERWATCH_URL: api.url });
      const token =
        options.token ??
        (await api.request('POST', 'runners', enrolmentDtoSchema, { pool: options.pool })).token;
      const enrolled = await enrolRunner({ url: api.url, token, dir, name: options.name });
      const { pool, keyFile } = enrolled;
      print(`Enrolled in pool ${pool}. The key is in ${keyFile}.`, enrolled);
    });
  runner
    .command('start')
    .description('Run attempts on this host until SIGTERM or Ctrl-C')
    .action(async () => {
      // Its own program, with its own environment and end.
      await import('@/workers/runner/main');
    });
}
