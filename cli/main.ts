/** `npm run tierwatch -- <command>` */
import { CommanderError } from 'commander';
import { InvalidError } from '@/lib/platform/errors';
import { takeSecrets } from '@/scripts/bootstrap/secret-files.mjs';
import { CommandError, EXIT } from './exit-code';
import { createProgram } from './program';

function report(error: unknown): number {
  if (error instanceof CommanderError) return error.exitCode === 0 ? EXIT.done : EXIT.usage;
  if (error instanceof InvalidError) {
    const fields = Object.entries(error.fields).map(([path, text]) => `  ${path}: ${text}`);
    process.stderr.write(`${['This is not valid.', ...fields].join('\n')}\n`);
    return EXIT.usage;
  }
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  if (error instanceof CommandError) return error.exitCode;
  return EXIT.failed;
}

try {
  takeSecrets(process.env);
  await createProgram(process.env).parseAsync();
} catch (error) {
  process.exitCode = report(error);
}
