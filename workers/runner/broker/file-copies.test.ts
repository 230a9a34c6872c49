import {
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { withCopies } from './file-copies';

let dir: string;
let work: string;
beforeEach(() => {
  dir = realpathSync(mkdtempSync(path.join(tmpdir(), 'copies-')));
  work = path.join(dir, 'work');
  mkdirSync(work);
  writeFileSync(path.join(work, 'a.yml'), 'content');
  symlinkSync(work, path.join(dir, 'link'));
});
afterEach(() => rmSync(dir, { recursive: true }));

const passed = (...argv: string[]) => withCopies(argv, work, path.join(dir, 'command'));

it('passes a copy in the place of a file of the work folder', async () => {
  const { argv, files } = await passed('apply', '-f', `${work}/a.yml`, `--file=${work}/a.yml`);
  expect(argv.slice(0, 2)).toEqual(['apply', '-f']);
  expect(argv.join()).not.toContain(work);
  expect(readFileSync(argv[2] ?? '', 'utf8')).toBe('content');
  expect(files).toMatchObject([{ path: 'a.yml', bytes: 7 }, { path: 'a.yml' }]);
});

it.each([
  () => `${dir}//work/a.yml`,
  () => `${dir}/./work/a.yml`,
  () => `--file=${dir}/x/../work/a.yml`,
  () => `-f${dir}/./work/a.yml`,
  () => `file:${dir}//work/a.yml:ro`,
  // From the empty folder that a command runs in.
  (file: string) => path.relative(path.join(tmpdir(), 'empty'), file),
  (file: string) => `@${path.relative(path.join(tmpdir(), 'empty'), file)}`,
  () => path.join(dir, 'link', 'a.yml'),
  () => path.join(dir, 'link'),
])('[HLD-1.1] refuses another spelling of such a file: %s', async (spelling) => {
  await expect(passed('apply', spelling(path.join(work, 'a.yml')))).rejects.toThrow(
    'leads into the work folder',
  );
});

it('leaves other arguments as they are', async () => {
  const argv = [
    'curl',
    '/',
    '/etc/hosts',
    'https://example.com/x/../y',
    '../..',
    '--a=/b:/c',
    '-n',
  ];
  expect((await passed(...argv)).argv).toEqual(argv);
});
