/** `node scripts/write-docs.mjs`: writes the pages of docs/ that are made from the code. */
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { runNode } from './bootstrap/command.mjs';
import { checkout } from './bootstrap/folders.mjs';
import { requireNode } from './bootstrap/node-version.mjs';
import { runMain } from './bootstrap/problem.mjs';

await runMain(async () => {
  requireNode();
  const program = path.join('app', 'docs', '_states', 'print-page.ts');
  const text = await runNode(['--import', 'tsx', program], { what: program });
  writeFileSync(path.join(checkout, 'docs', 'states-and-timeouts.md'), text);
});
