/** Prints the generated pages of docs/ as JSON by file name, for scripts/write-docs.mjs. */
import { readFileSync } from 'node:fs';
import { changelogPage } from './changelog-page';
import { statesAndTimeouts } from './page-text';

const pages = {
  'states-and-timeouts.md': statesAndTimeouts(),
  'changelog.md': changelogPage(readFileSync('CHANGELOG.md', 'utf8')),
};

process.stdout.write(JSON.stringify(pages));
