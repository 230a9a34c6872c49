import { existsSync } from 'node:fs';
import path from 'node:path';
import { runNode } from '../bootstrap/command.mjs';
import { checkout } from '../bootstrap/folders.mjs';
import { ensureClient } from '../bootstrap/prisma.mjs';
import { runTool, runVitest } from './runners.mjs';

/** Format, lint, types and architecture. @param {import('./stages.mjs').Stages} stages */
export async function runChecks(stages) {
  await ensureClient();
  if (!existsSync(path.join(checkout, 'next-env.d.ts'))) {
    await runNode(['node_modules/next/dist/bin/next', 'typegen'], { what: 'next typegen' });
  }
  await stages.together([
    ['Types', (output) => runTool(['node_modules/typescript/bin/tsc', '--noEmit'], output)],
    [
      'Format and lint',
      (output) => runTool(['node_modules/@biomejs/biome/bin/biome', 'check', '.'], output),
    ],
    ['Architecture', (output) => runVitest('architecture', { output })],
  ]);
}
