import { rmSync } from 'node:fs';
import path from 'node:path';
import { afterEach, expect, it } from 'vitest';
import { checkout } from '@/scripts/bootstrap/folders.mjs';
import { bundleProgram } from '@/scripts/bootstrap/programs.mjs';

// Where the programs are.
const file = path.join(checkout, 'dist', `bundled-${process.pid}.mjs`);
afterEach(() => rmSync(file, { force: true }));

it('[SAS-4.1] a program in one file knows its checkout, and so where npm start keeps its data', async () => {
  await bundleProgram('scripts/bootstrap/folders.mjs', file);
  const bundled = await import(file);
  expect(bundled.checkout).toBe(checkout);
  expect(bundled.dataFolder({})).toBe(path.join(checkout, '.data'));
});
