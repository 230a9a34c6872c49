/** Prints the generated pages of docs/ as JSON by path, for scripts/write-docs.mjs. */
import { readFileSync } from 'node:fs';
import { changelogPage, statesAndTimeouts } from './page-text';

const pages = {
  'docs/states-and-timeouts.md': statesAndTimeouts(),
  'docs/changelog.md': changelogPage(readFileSync('CHANGELOG.md', 'utf8')),
};

process.stdout.write(JSON.stringify(pages));
