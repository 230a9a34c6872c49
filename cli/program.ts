import { Command, CommanderError } from 'commander';
import { InvalidError } from '@/lib/platform/errors';
import { addApprovalCommands } from './commands/approval';
import { addAskCommands } from './commands/ask';
import { addAuditCommands } from './commands/audit';
import { addChainCommands } from './commands/chain';
import { addIncidentCommands } from './commands/incident';
import { addProjectCommands } from './commands/project';
import { addRunnerCommands } from './commands/runner';
import { addSessionCommands } from './commands/session';
import { addTokenCommands } from './commands/token';
import { addUserCommands } from './commands/user';
import { type ContextOf, commandContext, type Terminal } from './context';
import { CommandError, EXIT } from './exit-code';

/** Creates the command line. Global options are accepted before or after a command. */
export function createProgram(
  env: Record<string, string | undefined>,
  terminal: Terminal = process,
): Command {
  const program = new Command('tierwatch')
    .description(
      'Tierwatch on the command line. Set TIERWATCH_URL to the address and TIERWATCH_TOKEN to a token.',
    )
    .configureOutput({
      writeOut: (text) => terminal.stdout.write(text),
      writeErr: (text) => terminal.stderr.write(text),
    })
    .exitOverride();
  const contextOf: ContextOf = (command) =>
    commandContext(command.optsWithGlobals(), env, terminal);
  addTokenCommands(program, contextOf);
  addUserCommands(program, contextOf);
  addRunnerCommands(program, contextOf);
  addProjectCommands(program, contextOf);
  addChainCommands(program, contextOf);
  addIncidentCommands(program, contextOf);
  addApprovalCommands(program, contextOf);
  addSessionCommands(program, contextOf);
  addAskCommands(program, contextOf);
  addAuditCommands(program, contextOf);
  for (const command of [program, ...leaves(program)]) {
    command
      .option('--json', 'print JSON')
      .option('--url <address>', 'address; overrides TIERWATCH_URL')
      .exitOverride();
  }
  return program;
}

function leaves(command: Command): Command[] {
  return command.commands.length === 0 ? [command] : command.commands.flatMap(leaves);
}

/** Does what the command line was called for, and ends with its exit code: an error is said on stderr. */
export async function runCommand(terminal: Terminal, work: () => Promise<unknown>): Promise<void> {
  try {
    await work();
  } catch (error) {
    terminal.exitCode = report(error, terminal);
  }
}

function report(error: unknown, { stderr }: Terminal): number {
  if (error instanceof CommanderError) return error.exitCode === 0 ? EXIT.done : EXIT.usage;
  if (error instanceof InvalidError) {
    const fields = Object.entries(error.fields).map(([path, text]) => `  ${path}: ${text}`);
    stderr.write(`${['This is not valid.', ...fields].join('\n')}\n`);
    return EXIT.usage;
  }
  stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  if (error instanceof CommandError) return error.exitCode;
  return EXIT.failed;
}
