import { createHash } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import { expect, it } from 'vitest';
import { isWhole } from './packed';

const FILE = Buffer.from('{"type":"user"}\n'.repeat(200));
const PACKED = gzipSync(FILE);
const described = {
  bytes: FILE.length,
  sha256: createHash('sha256').update(FILE).digest('hex'),
};

it.each<[string, Parameters<typeof isWhole>[0], boolean]>([
  ['the described file', { ...described, packed: PACKED }, true],
  ['the first half', { ...described, packed: PACKED.subarray(0, PACKED.length / 2) }, false],
  ['nothing', { ...described, packed: Buffer.alloc(0) }, false],
  ['a file that is not compressed', { ...described, packed: FILE }, false],
  [
    'another file of the size',
    { ...described, packed: gzipSync(Buffer.alloc(FILE.length)) },
    false,
  ],
  ['more than was described', { ...described, packed: gzipSync(Buffer.alloc(50_000_000)) }, false],
  ['fewer bytes than described', { ...described, bytes: FILE.length + 1, packed: PACKED }, false],
])('[FLT-4.1] %s', async (_title, file, expected) => {
  expect(await isWhole(file)).toBe(expected);
});
