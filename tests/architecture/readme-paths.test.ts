import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';

/** A file in backticks: `claim.ts`, `kinds/turn/turn-gate.ts`, but no address such as `/api/v1`. */
const FILE = /`([\w@.[\]()][\w@./[\]()-]*\.(?:tsx?|mjs|mts|md|prisma|sql|json|yml))`/g;

/** A folder in backticks (`channels/`) but for those that a start makes (`.data/`), or a path from the root without an ending (`lib/engine/claim`). */
const FOLDER =
  /`((?!\.)(?:[\w@.()[\]-]+\/)+|(?:app|cli|lib|prisma|scripts|tests|workers)(?:\/[\w@.()[\]-]+)+)`/g;

/** Stand for a file in whichever folder. */
const IN_ANY_FOLDER = ['data.ts', 'environment.json'];

const READMES = [
  ...readdirSync('lib').map((name) => `lib/${name}/README.md`),
  'workers/runner/README.md',
  'CONTRIBUTING.md',
  'README.md',
  ...readdirSync('docs/decisions').map((name) => `docs/decisions/${name}`),
].filter((file) => existsSync(file));

describe('what a README names exists', () => {
  it.each(READMES)('%s', (readme) => {
    const text = readFileSync(readme, 'utf8');
    const named = [FILE, FOLDER].flatMap((form) =>
      [...text.matchAll(form)].map(([, at = '']) => at),
    );
    const missing = named.filter(
      (file) =>
        !IN_ANY_FOLDER.includes(file) &&
        !existsSync(path.join(path.dirname(readme), file)) &&
        !existsSync(file) &&
        !existsSync(path.join('lib', file)),
    );
    expect(missing).toEqual([]);
  });
});
