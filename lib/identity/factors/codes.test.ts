import { describe, expect, it } from 'vitest';
import {
  acceptedStep,
  hashRecoveryCode,
  newRecoveryCodes,
  newTotpSecret,
  normalizeRecoveryCode,
  totpUri,
} from './codes';

/** The secret of RFC 6238, appendix B: the text "12345678901234567890". */
const RFC_SECRET = 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ';
const at = (seconds: number) => new Date(seconds * 1000);
const accepted = (code: string, seconds: number, lastStep: number | null = null) =>
  acceptedStep({ secret: RFC_SECRET, lastStep }, code, at(seconds));

describe('[SEC-1.4] a code of an authenticator app', () => {
  it.each([
    [59, '287082'],
    [1_111_111_109, '081804'],
    [1_111_111_111, '050471'],
    [1_234_567_890, '005924'],
    [2_000_000_000, '279037'],
    [20_000_000_000, '353130'],
  ])('is that of RFC 6238 at %d s', (seconds, code) => {
    expect(accepted(code, seconds)).toBe(Math.floor(seconds / 30));
  });

  it('is accepted one step early and one step late, and no more', () => {
    const step = Math.floor(1_234_567_890 / 30);
    expect(accepted('005924', step * 30 - 1)).toBe(step);
    expect(accepted('005924', step * 30 + 59)).toBe(step);
    expect(accepted('005924', step * 30 - 31)).toBeNull();
    expect(accepted('005924', step * 30 + 60)).toBeNull();
  });

  it('is refused once it or a later one was accepted', () => {
    const step = Math.floor(59 / 30);
    expect(accepted('287082', 59, step - 1)).toBe(step);
    expect(accepted('287082', 59, step)).toBeNull();
    expect(accepted('287082', 59, step + 1)).toBeNull();
  });

  it.each(['', '28708', '2870820', '28708a', '２８７０８２', '000000'])('is not %j', (code) => {
    expect(accepted(code, 59)).toBeNull();
  });
});

it('[SEC-1.4] the secret of an app has 160 random bits, and its address names the person', () => {
  const [one, two] = [newTotpSecret(), newTotpSecret()];
  expect(one).toMatch(/^[A-Z2-7]{32}$/);
  expect(one).not.toBe(two);
  expect(totpUri(one, 'ana@example.com')).toBe(
    `otpauth://totp/Tierwatch:ana%40example.com?issuer=Tierwatch&secret=${one}&algorithm=SHA1&digits=6&period=30`,
  );
});

describe('[SEC-1.4] recovery codes', () => {
  it('are ten different ones that read well', () => {
    const codes = newRecoveryCodes();
    expect(new Set(codes).size).toBe(10);
    for (const code of codes)
      expect(code).toMatch(/^([a-hj-km-np-z2-9]{4}-){3}[a-hj-km-np-z2-9]{4}$/);
  });

  it('can be typed with spaces, without hyphens and in capitals', () => {
    expect(normalizeRecoveryCode(' ABCD efgh-jkmn2345 ')).toBe('abcdefghjkmn2345');
  });

  it.each(['', '123456', 'abcd-efgh-jkmn-234', 'abcd-efgh-jkmn-2340'])('are never %j', (typed) => {
    expect(normalizeRecoveryCode(typed)).toBeNull();
  });

  it('are stored as another value for each person and key', () => {
    const [key, other] = [Buffer.alloc(32, 1), Buffer.alloc(32, 2)];
    const hash = hashRecoveryCode('abcdefghjkmn2345', 'ana', key);
    expect(hash).toMatch(/^[0-9a-f]{64}$/);
    expect(hashRecoveryCode('abcdefghjkmn2345', 'bo', key)).not.toBe(hash);
    expect(hashRecoveryCode('abcdefghjkmn2345', 'ana', other)).not.toBe(hash);
  });
});
