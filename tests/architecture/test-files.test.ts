import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { ALONE } from '../support/alone.mjs';

const root = path.resolve(import.meta.dirname, '../..');

/** Files of a process share their modules, so what one puts in a module's place would be there for the others. */
it('[ENG-6.1] an integration test that replaces a module runs in a process of its own', () => {
  const files = ['tests/integration', 'tests/bootstrap'].flatMap((folder) =>
    readdirSync(path.join(root, folder), { recursive: true, encoding: 'utf8' }).map((name) =>
      path.posix.join(folder, name),
    ),
  );
  const replacing = files.filter(
    (file) =>
      file.endsWith('.test.ts') &&
      /\bvi\.(do)?[mM]ock\(/.test(readFileSync(path.join(root, file), 'utf8')),
  );
  expect(replacing.length).toBeGreaterThan(0);
  expect(replacing.filter((file) => !ALONE.includes(file))).toEqual([]);
});
