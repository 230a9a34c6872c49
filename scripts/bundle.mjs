/** `node scripts/bundle.mjs`: bundles the programs into dist/, for an image. A start does it by itself. */
import { requireNode } from './bootstrap/node-version.mjs';
import { runMain } from './bootstrap/problem.mjs';
import { ensurePrograms } from './bootstrap/programs.mjs';

await runMain(async () => {
  requireNode();
  await ensurePrograms();
});
