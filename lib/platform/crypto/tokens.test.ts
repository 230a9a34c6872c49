import { describe, expect, it } from 'vitest';
import {
  encodeBase62,
  hashToken,
  maskToken,
  mintToken,
  readTokenPrefix,
  TOKEN_PREFIXES,
} from './tokens';

describe('a minted token', () => {
  it.each(TOKEN_PREFIXES)('%s reads back as its own kind', (prefix) => {
    const token = mintToken(prefix);
    expect(token).toMatch(new RegExp(`^${prefix}_[0-9A-Za-z]{49}$`));
    expect(readTokenPrefix(token)).toBe(prefix);
  });

  it('is never the same twice', () => {
    expect(new Set(Array.from({ length: 1_000 }, () => mintToken('twk'))).size).toBe(1_000);
  });

  it('is refused when one character is mistyped', () => {
    const token = mintToken('twk');
    for (let index = 4; index < token.length; index += 1) {
      const wrong = token[index] === 'x' ? 'y' : 'x';
      expect(readTokenPrefix(token.slice(0, index) + wrong + token.slice(index + 1))).toBeNull();
    }
  });

  it('is refused under the prefix of another kind', () => {
    expect(readTokenPrefix(mintToken('twk').replace('twk', 'rnk'))).toBeNull();
  });

  it.each(['', 'twk_', 'Bearer x', 'abc_def'])('is not read from %j', (text) => {
    expect(readTokenPrefix(text)).toBeNull();
    expect(readTokenPrefix(`${mintToken('twk')}${text} `)).toBeNull();
  });
});

it('hashToken is SHA-256 in hex', () => {
  expect(hashToken('abc')).toBe('ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad');
});

it.each([
  ['twk_0123456789abcdefa91c', 'twk_••••a91c'],
  ['whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw', 'whsec_••••LaSw'],
  ['twk_short', 'twk_••••'],
  ['', '••••'],
])('maskToken(%j) is %j', (token, masked) => {
  expect(maskToken(token)).toBe(masked);
});

it.each([
  [[0, 0], '000'],
  [[0, 61], '00z'],
  [[0xff, 0xff], 'H31'],
])('encodeBase62(%j) is %j', (bytes, text) => {
  expect(encodeBase62(Uint8Array.from(bytes))).toBe(text);
});
