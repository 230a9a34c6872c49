import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { changelogPage, statesAndTimeouts } from './page-text';

const written = (file: string) => readFileSync(path.resolve(file), 'utf8');

it('docs/states-and-timeouts.md matches the code; otherwise run: node scripts/write-docs.mjs', () => {
  expect(written('docs/states-and-timeouts.md')).toBe(statesAndTimeouts());
});

it('[PAG-3.2] docs/changelog.md matches CHANGELOG.md; otherwise run: node scripts/write-docs.mjs', () => {
  expect(written('docs/changelog.md')).toBe(changelogPage(written('CHANGELOG.md')));
});
