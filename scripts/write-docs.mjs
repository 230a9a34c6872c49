/** `node scripts/write-docs.mjs`: writes the generated pages of docs/, from the code and CHANGELOG.md. */
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { runNode } from './bootstrap/command.mjs';
import { checkout } from './bootstrap/folders.mjs';
import { requireNode } from './bootstrap/node-version.mjs';
import { runMain } from './bootstrap/problem.mjs';

await runMain(async () => {
  requireNode();
  const program = path.join('app', 'docs', '_states', 'print-page.ts');
  const pages = JSON.parse(await runNode(['--import', 'tsx', program], { what: program }));
  for (const [file, text] of Object.entries(pages)) {
    writeFileSync(path.join(checkout, 'docs', file), text);
  }
});
