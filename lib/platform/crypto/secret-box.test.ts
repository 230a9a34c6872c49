import { randomBytes } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { deriveKey, open, SecretBoxError, seal } from './secret-box';

const key = randomBytes(32);

describe('a sealed secret', () => {
  it.each(['whsec_abc', '', 'ümlaut 漢字 🔑', 'x'.repeat(100_000)])('opens again', (plain) => {
    expect(open(seal(plain, key, 'webhook:1'), key, 'webhook:1')).toBe(plain);
  });

  it('is different each time and holds nothing of the plain text', () => {
    const boxes = [seal('whsec_abc', key, 'webhook:1'), seal('whsec_abc', key, 'webhook:1')];
    expect(boxes[0]).not.toBe(boxes[1]);
    expect(boxes.join('')).not.toContain('whsec');
    expect(boxes[0]).toMatch(/^v1\./);
  });

  it('does not open in another place', () => {
    const box = seal('whsec_abc', key, 'webhook:1');
    expect(() => open(box, key, 'webhook:2')).toThrow(SecretBoxError);
  });

  it('does not open with another key', () => {
    const box = seal('whsec_abc', key, 'webhook:1');
    expect(() => open(box, randomBytes(32), 'webhook:1')).toThrow(SecretBoxError);
  });

  it.each([0, 1, 2, 3])('does not open when part %i was changed', (index) => {
    const parts = seal('whsec_abc', key, 'webhook:1').split('.');
    const part = parts[index] ?? '';
    parts[index] = (part.startsWith('A') ? 'B' : 'A') + part.slice(1);
    expect(() => open(parts.join('.'), key, 'webhook:1')).toThrow(SecretBoxError);
  });

  it.each(['', 'whsec_abc', 'v1...', 'v1.AA.AA.AA', 'v2.AA.AA.AA', 'v1.a.b.c.d'])(
    'is not taken from other text: %j',
    (text) => {
      expect(() => open(text, key, 'webhook:1')).toThrow(SecretBoxError);
    },
  );

  it('does not open with a shortened tag', () => {
    const [version, nonce, tag, text] = seal('whsec_abc', key, 'webhook:1').split('.');
    const short = Buffer.from(tag ?? '', 'base64url')
      .subarray(0, 12)
      .toString('base64url');
    expect(() => open([version, nonce, short, text].join('.'), key, 'webhook:1')).toThrow(
      SecretBoxError,
    );
  });

  it('asks for a key of 32 bytes', () => {
    expect(() => seal('x', randomBytes(16), 'webhook:1')).toThrow('32 bytes');
  });
});

describe('deriveKey', () => {
  const secret = 's'.repeat(32);

  it('gives the same key for the same purpose and another for another', () => {
    expect(deriveKey(secret, 'webhooks')).toEqual(deriveKey(secret, 'webhooks'));
    expect(deriveKey(secret, 'webhooks')).not.toEqual(deriveKey(secret, 'sign-in'));
    expect(deriveKey(secret, 'webhooks')).toHaveLength(32);
  });

  it('refuses a short secret', () => {
    expect(() => deriveKey('changeme', 'webhooks')).toThrow('too short');
  });
});
