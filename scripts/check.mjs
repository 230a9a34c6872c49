/** `npm run check`: format, lint, types and architecture. */
import { ensureInstalled } from './bootstrap/install.mjs';
import { requireNode } from './bootstrap/node-version.mjs';
import { runMain } from './bootstrap/problem.mjs';
import { Stages } from './test/stages.mjs';

await runMain(async () => {
  requireNode();
  await ensureInstalled();
  const { runChecks } = await import('./test/checks.mjs');
  const stages = new Stages();
  await runChecks(stages);
  if (!stages.report()) process.exitCode = 1;
});
