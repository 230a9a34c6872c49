/** `npm run tierwatch -- <command>` */
import { takeSecrets } from '@/scripts/bootstrap/secret-files.mjs';
import { createProgram } from './program';
import { runCommand } from './run-command';

await runCommand(process, async () => {
  takeSecrets(process.env);
  await createProgram(process.env).parseAsync();
});
