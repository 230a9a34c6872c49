/**
 * `node scripts/write-docs.mjs`: writes what is generated in documents, from the code and CHANGELOG.md:
 * pages of docs/, and what README, CONTRIBUTING and the modules' READMEs say about modules.
 */
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { runNode } from './bootstrap/command.mjs';
import { checkout } from './bootstrap/folders.mjs';
import { requireNode } from './bootstrap/node-version.mjs';
import { runMain } from './bootstrap/problem.mjs';

/** Each prints files by path, from the checkout's root, as JSON. */
const PROGRAMS = ['scripts/docs/print-page.ts', 'tests/architecture/module-docs.ts'];

await runMain(async () => {
  requireNode();
  for (const program of PROGRAMS) {
    const pages = JSON.parse(await runNode(['--import', 'tsx', program], { what: program }));
    for (const [file, text] of Object.entries(pages)) {
      writeFileSync(path.join(checkout, file), text);
    }
  }
});
