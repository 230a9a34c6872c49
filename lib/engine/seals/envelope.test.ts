/** What an attacker who can write rows and objects, but has no key, can make of seals: nothing. */

import { createHash } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { SecretBoxError } from '@/lib/platform/crypto/secret-box';
import {
  decrypt,
  encrypt,
  isWhole,
  newOrganizationKey,
  newSealKey,
  type StoredKey,
  storedSize,
} from './envelope';
import type { SealPlace } from './schema';

const SECRET = 'a secret key of the installation, long enough';
const CONTENT = Buffer.from('{"type":"user"}\n'.repeat(50));

const PLACE: SealPlace = {
  organizationId: 'organization-a',
  projectId: 'project-a',
  sessionId: 'session-18',
  attemptId: 'attempt-1',
  sealId: 'seal-1',
  keyId: 'key-a',
  bytes: 1_000,
  sha256: 'ab'.repeat(32),
};

function keyOf(organizationId: string, id: string): StoredKey {
  const of = { organizationId, id };
  return { ...of, wrappedKey: newOrganizationKey(of, SECRET) };
}

const KEY = keyOf('organization-a', 'key-a');
const WRAPPED = newSealKey(PLACE, KEY, SECRET);
const keys = { wrappedKey: WRAPPED, key: KEY, secretKey: SECRET };
const STORED = encrypt(CONTENT, PLACE, keys);

describe('[FLT-4.3] a seal', () => {
  it('opens in its own place, and holds nothing of the conversation', () => {
    expect(decrypt(STORED, PLACE, keys).equals(CONTENT)).toBe(true);
    expect(STORED.includes('user')).toBe(false);
    expect(STORED.length).toBe(storedSize(CONTENT.length));
    expect(encrypt(CONTENT, PLACE, keys).equals(STORED)).toBe(false);
  });

  it.each<[keyof SealPlace, string | number]>([
    ['organizationId', 'organization-b'],
    ['projectId', 'project-b'],
    ['sessionId', 'session-19'],
    ['attemptId', 'attempt-2'],
    ['sealId', 'seal-2'],
    ['keyId', 'key-b'],
    ['bytes', 1_001],
    ['sha256', `ac${'ab'.repeat(31)}`],
  ])('is not opened after its row has another %s', (name, value) => {
    expect(() => decrypt(STORED, { ...PLACE, [name]: value }, keys)).toThrow(SecretBoxError);
  });

  it('can’t be opened if any byte was changed or cut off', () => {
    for (let index = 0; index < STORED.length; index += 1) {
      const changed = Buffer.from(STORED);
      changed.writeUInt8(changed.readUInt8(index) ^ 1, index);
      expect(() => decrypt(changed, PLACE, keys), `byte ${index}`).toThrow(SecretBoxError);
      const cut = STORED.subarray(0, index);
      expect(() => decrypt(cut, PLACE, keys), `${index} bytes`).toThrow(SecretBoxError);
    }
  });

  it('is not opened after any character of its key was changed', () => {
    for (let index = 0; index < WRAPPED.length; index += 1) {
      const other = WRAPPED[index] === 'A' ? 'B' : 'A';
      const wrappedKey = WRAPPED.slice(0, index) + other + WRAPPED.slice(index + 1);
      // The last character of a part in base64url has bits that stand for nothing.
      const isSame = wrappedKey
        .split('.')
        .every((part, at) =>
          Buffer.from(part, 'base64url').equals(
            Buffer.from(WRAPPED.split('.')[at] ?? '', 'base64url'),
          ),
        );
      if (isSame) continue;
      expect(() => decrypt(STORED, PLACE, { ...keys, wrappedKey })).toThrow(SecretBoxError);
    }
  });

  it('is not opened with the key of another organization, by its id or by its content', () => {
    const other = keyOf('organization-b', 'key-b');
    for (const key of [other, { ...other, id: KEY.id }, { ...KEY, wrappedKey: other.wrappedKey }]) {
      expect(() => decrypt(STORED, PLACE, { ...keys, key })).toThrow(SecretBoxError);
    }
  });

  it('is not opened with the key of another seal of the same attempt', () => {
    const wrappedKey = newSealKey({ ...PLACE, sealId: 'seal-2' }, KEY, SECRET);
    expect(() => decrypt(STORED, PLACE, { ...keys, wrappedKey })).toThrow(SecretBoxError);
  });

  it('is not opened by another installation', () => {
    const secretKey = 'the secret key of another installation, as long';
    expect(() => decrypt(STORED, PLACE, { ...keys, secretKey })).toThrow(SecretBoxError);
  });
});

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
