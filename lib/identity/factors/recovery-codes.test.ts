import { describe, expect, it } from 'vitest';
import { hashRecoveryCode, newRecoveryCodes, normalizeRecoveryCode } from './recovery-codes';

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
