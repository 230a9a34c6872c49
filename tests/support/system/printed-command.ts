/** The command that "Add runner" prints, as a host runs it. */
import path from 'node:path';
import { checkout } from '@/scripts/bootstrap/folders.mjs';

const PRINTED = 'npm run tierwatch -- ';

/** What Node is given instead, so that a signal to the process reaches the runner itself. */
export function argsOfPrinted(command: string): string[] {
  if (!command.startsWith(PRINTED)) throw new Error(`Not what a person would run: ${command}`);
  const program = path.join(checkout, 'cli/main.ts');
  return ['--import', 'tsx', program, ...command.slice(PRINTED.length).split(' ')];
}
