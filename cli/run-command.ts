import { CommanderError } from 'commander';
import { InvalidError } from '@/lib/platform/errors';
import type { Terminal } from './context';
import { CommandError, EXIT } from './exit-code';

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
