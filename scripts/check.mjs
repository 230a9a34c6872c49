/** `npm run check`: format, lint, types and architecture. */
import { ensureInstalled } from './bootstrap/install.mjs';
import { requireNode } from './bootstrap/node-version.mjs';
import { runMain } from './bootstrap/problem.mjs';
import { sum, tallyLine } from './test/tally.mjs';

await runMain(async () => {
  requireNode();
  await ensureInstalled();
  const { runChecks } = await import('./test/checks.mjs');
  const total = sum(await runChecks());
  process.stdout.write(`\n${tallyLine(total)}\n`);
  if (total.failed > 0) process.exitCode = 1;
});
