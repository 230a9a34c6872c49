import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { ALONE } from '../support/alone.mjs';
import { ON_REDIS } from '../support/on-redis.mjs';

const root = path.resolve(import.meta.dirname, '../..');

const files = ['tests/integration', 'tests/bootstrap']
  .flatMap((folder) =>
    readdirSync(path.join(root, folder), { recursive: true, encoding: 'utf8' }).map((name) =>
      path.posix.join(folder, name),
    ),
  )
  .filter((file) => file.endsWith('.test.ts'));

const textOf = (file: string) => readFileSync(path.join(root, file), 'utf8');

/** Files of a process share their modules, so what one puts in a module's place would be there for the others. */
it('[ENG-6.1] an integration test that replaces or resets modules runs in a process of its own', () => {
  const replacing = files.filter((file) =>
    /\bvi\.(?:(?:do)?[mM]ock|resetModules)\(/.test(textOf(file)),
  );
  expect(replacing.length).toBeGreaterThan(0);
  expect(replacing.filter((file) => !ALONE.includes(file))).toEqual([]);
});

it('[ENG-6.1] a test that expects something else on Redis runs on Redis', () => {
  const knowing = files.filter((file) => textOf(file).includes('database.redisUrl'));
  expect(knowing.length).toBeGreaterThan(0);
  expect(knowing.filter((file) => !ON_REDIS.includes(file))).toEqual([]);
});

it('[ENG-6.1] each file that is named for a process of its own, or for Redis, exists', () => {
  const missing = [...ALONE, ...ON_REDIS].filter((file) => !existsSync(path.join(root, file)));
  expect(missing).toEqual([]);
});
