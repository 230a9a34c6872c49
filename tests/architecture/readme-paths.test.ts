import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';

/** A file in backticks: `claim.ts`, `kinds/turn/turn-gate.ts`, but no address such as `/api/v1`. */
const FILE = /`([\w@.[\]()][\w@./[\]()-]*\.(?:tsx?|mjs|mts|md|prisma|sql|json|yml))`/g;

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
    const named = [...readFileSync(readme, 'utf8').matchAll(FILE)].map(([, file = '']) => file);
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
