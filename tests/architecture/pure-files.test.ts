import { existsSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { ROOT, type SourceFile, sourceFiles } from './source-files';

/** What makes a file do something: the database, the queue, and files that know them. */
const EFFECTS = /^lib\/platform\/(?:db|queue)\/|^generated\/|(?:^|[/-])data$|-rows$/;

function isPure({ imports }: SourceFile): boolean {
  return !imports.some(({ target }) => target !== null && EFFECTS.test(target));
}

function decides({ text }: SourceFile): boolean {
  return /^export (?:async )?function /m.test(text);
}

it('every pure file of the engine has its tests beside it', () => {
  const untested = sourceFiles('lib/engine')
    .filter((source) => isPure(source) && decides(source))
    .map((source) => source.path)
    .filter((file) => !existsSync(path.join(ROOT, file.replace(/\.ts$/, '.test.ts'))));
  expect(untested, 'Write a table of cases in a .test.ts beside the file.').toEqual([]);
});
