import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { statesAndTimeouts } from './page-text';

it('docs/states-and-timeouts.md says what the code says; else run: node scripts/write-docs.mjs', () => {
  const written = readFileSync(path.resolve('docs/states-and-timeouts.md'), 'utf8');
  expect(written).toBe(statesAndTimeouts());
});
