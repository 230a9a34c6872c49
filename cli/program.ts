import { Command } from 'commander';
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
