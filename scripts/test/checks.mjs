import { existsSync } from 'node:fs';
import path from 'node:path';
import { runNode } from '../bootstrap/command.mjs';
import { checkout } from '../bootstrap/folders.mjs';
import { ensureClient } from '../bootstrap/prisma.mjs';
import { runTool, runVitest } from './runners.mjs';

/** Format, lint, types and architecture. @returns {Promise<import('./tally.mjs').Tally[]>} */
export async function runChecks() {
  await ensureClient();
  if (!existsSync(path.join(checkout, 'next-env.d.ts'))) {
    await runNode(['node_modules/next/dist/bin/next', 'typegen'], { what: 'next typegen' });
  }
  return [
    await runTool('Format and lint', ['node_modules/@biomejs/biome/bin/biome', 'check', '.']),
    await runTool('Types', ['node_modules/typescript/bin/tsc', '--noEmit']),
    await runVitest('Architecture', 'tests/architecture/vitest.config.mts'),
  ];
}
