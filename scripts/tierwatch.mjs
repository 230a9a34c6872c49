/** `npm run tierwatch -- <command>`: the command line, run from its sources. */
import { spawn } from 'node:child_process';
import path from 'node:path';
import { checkout } from './bootstrap/folders.mjs';
import { requireNode } from './bootstrap/node-version.mjs';
import { runMain } from './bootstrap/problem.mjs';

await runMain(async () => {
  requireNode();
  const loader = import.meta.resolve('tsx');
  const program = path.join(checkout, 'cli', 'main.ts');
  const args = ['--import', loader, program, ...process.argv.slice(2)];
  const child = spawn(process.execPath, args, { stdio: 'inherit' });
  // Ctrl-C reaches the command itself, which decides what it means.
  for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => child.kill(signal));
  process.exitCode = await new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('exit', (code) => resolve(code ?? 1));
  });
});
