/**
 * `npm run chaos`: kills processes of a running product at seeded random moments while chains run, and
 * prints what was lost, doubled or left behind. See docs/chaos.md.
 */
import { ensureInstalled } from './bootstrap/install.mjs';
import { requireNode } from './bootstrap/node-version.mjs';
import { runMain } from './bootstrap/problem.mjs';
import { parseOptions } from './chaos/options.mjs';
import { runShown, stopOnSignals } from './test/run-command.mjs';

await runMain(async () => {
  requireNode();
  const args = process.argv.slice(2);
  parseOptions(args);
  await ensureInstalled();
  const { ensureClient } = await import('./bootstrap/prisma.mjs');
  const { ensureBuilt } = await import('./bootstrap/build.mjs');
  const { ensurePrograms } = await import('./bootstrap/programs.mjs');
  await ensureClient();
  await ensurePrograms();
  await ensureBuilt();
  stopOnSignals();
  const isGood = await runShown(['--import', 'tsx', 'scripts/chaos/main.ts', ...args]);
  process.exitCode = isGood ? 0 : 1;
});
