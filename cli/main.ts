/** `npm run tierwatch -- <command>` */
import { takeSecrets } from '@/scripts/bootstrap/secret-files.mjs';
import { createProgram, runCommand } from './program';

await runCommand(process, async () => {
  takeSecrets(process.env);
  await createProgram(process.env).parseAsync();
});
