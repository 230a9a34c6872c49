import { beforeAll, describe, expect, it } from 'vitest';
import { findKnownDevice, KNOWN_DEVICE_SECONDS, rememberDevice } from './known-devices';

const alice = { id: 'alice', passwordHash: 'hash-1' };
const bob = { id: 'bob', passwordHash: 'hash-2' };
const now = new Date('2026-11-25T12:00:00Z');
const after = (seconds: number) => new Date(now.getTime() + seconds * 1000);

beforeAll(() => {
  process.env.TIERWATCH_SECRET_KEY ??= 'k'.repeat(40);
  process.env.TIERWATCH_APP_DATABASE_URL ??= 'postgresql://127.0.0.1/app';
  process.env.TIERWATCH_SYSTEM_DATABASE_URL ??= 'postgresql://127.0.0.1/system';
});

describe('[SEC-1.1] a known device', () => {
  const cookie = () => rememberDevice(undefined, alice, now);

  it('is known for the person who signed in with it, and keeps its id', () => {
    const device = findKnownDevice(cookie(), alice, now);
    expect(device).toMatch(/^[\w-]{22}$/);
    const first = cookie();
    const renewed = rememberDevice(first, alice, after(60));
    expect(findKnownDevice(renewed, alice, now)).toBe(findKnownDevice(first, alice, now));
  });

  it('is unknown for anyone else, with another password, and when it wasn’t used for long', () => {
    expect(findKnownDevice(cookie(), bob, now)).toBeNull();
    expect(findKnownDevice(cookie(), { ...alice, passwordHash: 'hash-3' }, now)).toBeNull();
    expect(findKnownDevice(cookie(), alice, after(KNOWN_DEVICE_SECONDS - 1))).not.toBeNull();
    expect(findKnownDevice(cookie(), alice, after(KNOWN_DEVICE_SECONDS))).toBeNull();
  });

  it('can’t be made up: no part of the cookie can be changed', () => {
    const [device, expiresAt, signature = ''] = cookie().split('.');
    const other = `${signature.startsWith('A') ? 'B' : 'A'}${signature.slice(1)}`;
    const forged = [
      `${'A'.repeat(22)}.${expiresAt}.${signature}`,
      `${device}.${Number(expiresAt) + 1}.${signature}`,
      `${device}.${expiresAt}.${other}`,
      `${device}.${expiresAt}.`,
      `${device}.${expiresAt}.${'é'.repeat(43)}`,
      '',
      undefined,
    ];
    for (const text of forged) expect(findKnownDevice(text, alice, now), text).toBeNull();
  });

  it('can be shared by five people', () => {
    let shared = rememberDevice(undefined, alice, now);
    const people = [1, 2, 3, 4].map((id) => ({ id: `p${id}`, passwordHash: 'h' }));
    for (const person of people) shared = rememberDevice(shared, person, now);
    for (const person of [alice, ...people]) {
      expect(findKnownDevice(shared, person, now)).not.toBeNull();
    }
    shared = rememberDevice(shared, bob, now);
    expect(findKnownDevice(shared, alice, now)).toBeNull();
    expect(findKnownDevice(shared, bob, now)).not.toBeNull();
    expect(shared.split('~')).toHaveLength(5);
  });
});
