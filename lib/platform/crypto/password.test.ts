import * as argon2 from '@node-rs/argon2';
import { describe, expect, it, vi } from 'vitest';

vi.mock('@node-rs/argon2', async (original) => {
  const real = await original<typeof argon2>();
  return { ...real, verify: vi.fn(real.verify) };
});

// Another test of this worker may have loaded it already, with the real library.
vi.resetModules();
const { hashPassword, isOutdatedHash, PASSWORD_PARAMETERS, verifyPassword } = await import(
  './password'
);

describe('a password', () => {
  it('is kept as argon2id with the parameters that OWASP recommends', async () => {
    expect(await hashPassword('correct horse')).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
  });

  it('is recognised, and another is not', async () => {
    const stored = await hashPassword('correct horse');
    expect(await verifyPassword('correct horse', stored)).toBe(true);
    expect(await verifyPassword('correct hors', stored)).toBe(false);
  });

  it('is recognised when another keyboard composes its letters differently', async () => {
    const stored = await hashPassword('caf\u00e9');
    expect(await verifyPassword('cafe\u0301', stored)).toBe(true);
  });

  it('of an unknown account costs the same work and is never right', async () => {
    const verify = vi.mocked(argon2.verify);
    verify.mockClear();
    expect(await verifyPassword('anything', null)).toBe(false);
    expect(verify).toHaveBeenCalledTimes(1);
    const usedHash = String(verify.mock.calls[0]?.[0]);
    expect(usedHash).toMatch(/^\$argon2id\$/);
    expect(argon2.parseOptions(usedHash)).toMatchObject(PASSWORD_PARAMETERS);

    verify.mockResolvedValueOnce(true);
    expect(await verifyPassword('anything', null)).toBe(false);
  });

  it('is hashed again when the parameters have changed', async () => {
    expect(isOutdatedHash(await hashPassword('x'))).toBe(false);
    expect(isOutdatedHash(await argon2.hash('x', { memoryCost: 4_096, timeCost: 3 }))).toBe(true);
  });
});
