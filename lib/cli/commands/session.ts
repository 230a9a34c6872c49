import type { Command } from 'commander';
import type { SessionEventDto } from '@/lib/sessions/schema';
import { eventLine } from '../event-line';
import { followSession, readEvents } from '../follow-chain';
import type { ContextOf } from '../program';

export function addSessionCommands(program: Command, contextOf: ContextOf): void {
  const session = program.command('session').description('Sessions');
  session
    .command('log <id>')
    .description('Print the events of a session; with --json one object a line')
    .option('-f, --follow', 'go on until it ends')
    .action(async (id, options, command) => {
      const { api, isJson } = contextOf(command);
      const read = options.follow ? followSession : readEvents;
      await read(api, encodeURIComponent(id), (event: SessionEventDto) => {
        const line = isJson ? JSON.stringify(event) : eventLine(event);
        if (line !== null) process.stdout.write(`${line}\n`);
      });
    });
}
