/** The command that "Add runner" prints, as a host runs it. */
import { programFile } from '@/scripts/bootstrap/programs.mjs';

const PRINTED = 'npm run tierwatch -- ';

/** What Node is given instead, so that a signal to the process reaches the runner itself. */
export function argsOfPrinted(command: string): string[] {
  if (!command.startsWith(PRINTED)) throw new Error(`Not what a person would run: ${command}`);
  return [programFile('tierwatch'), ...command.slice(PRINTED.length).split(' ')];
}
