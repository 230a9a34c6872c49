/** `npm run tierwatch -- <command>`: the command line. */
import { spawn } from 'node:child_process';
import { requireNode } from './bootstrap/node-version.mjs';
import { watchNpm } from './bootstrap/parents.mjs';
import { runMain } from './bootstrap/problem.mjs';
import { ensurePrograms, programFile, RUNNER_PROGRAMS } from './bootstrap/programs.mjs';

await runMain(async () => {
  requireNode();
  // Without a word: what a command prints may be read by a program. `runner` is one of them.
  await ensurePrograms(['tierwatch', ...RUNNER_PROGRAMS], (_title, work) => work());
  const args = [programFile('tierwatch'), ...process.argv.slice(2)];
  const child = spawn(process.execPath, args, { stdio: 'inherit' });
  // Ctrl-C reaches the command itself, which decides what it means.
  for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => child.kill(signal));
  watchNpm(() => child.kill('SIGTERM'));
  process.exitCode = await new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('exit', (code) => resolve(code ?? 1));
  });
});
