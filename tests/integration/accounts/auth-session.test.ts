import { describe, expect, it } from 'vitest';
import {
  AUTH_SESSION_SECONDS,
  listAuthSessions,
  readAuthSession,
  revokeOwnAuthSession,
  signOutBrowser,
  signOutEverywhere,
} from '@/lib/identity/auth/auth-sessions';
import { globalDb } from '@/lib/platform/db/global-db';
import { NotFoundError } from '@/lib/platform/errors';
import { useTestDatabase } from '@/tests/support/database';
import { openedSignIn, signedUp } from './people';

useTestDatabase();
const MINUTE_MS = 60_000;
const client = { address: '192.0.2.8' };

describe('[SAS-1.1] a sign-in', () => {
  it('names its person', async () => {
    const alice = await signedUp();
    const id = await openedSignIn(alice.userId, 'Firefox');
    expect(await readAuthSession(id)).toEqual({
      id: alice.userId,
      email: alice.email,
      name: alice.name,
      label: alice.email,
      authSessionId: id,
      provedAt: expect.any(Date),
      secondFactorAt: null,
    });
  });

  it('is over once it is revoked, and others stay', async () => {
    const { userId } = await signedUp();
    const [first, second] = [await openedSignIn(userId, ''), await openedSignIn(userId, '')];
    await signOutBrowser(first, client);
    expect(await readAuthSession(first)).toBeNull();
    expect(await readAuthSession(second)).not.toBeNull();
    const user = await readAuthSession(second);
    if (!user) throw new Error('The sign-in is not there.');
    await signOutEverywhere(user, client);
    expect(await readAuthSession(second)).toBeNull();
  });

  it('is listed for its person alone, and marked where it asks from', async () => {
    const alice = await signedUp();
    const charlie = await signedUp();
    const here = await openedSignIn(alice.userId, 'Firefox');
    const there = await openedSignIn(alice.userId, 'Chrome');
    await openedSignIn(charlie.userId, 'Safari');
    const user = await readAuthSession(here);
    if (!user) throw new Error('The sign-in is not there.');
    const listed = await listAuthSessions(user);
    expect(listed.map(({ id, isThisOne }) => [id, isThisOne]).sort()).toEqual(
      [
        [here, true],
        [there, false],
      ].sort(),
    );
    await revokeOwnAuthSession(user, there, client);
    expect((await listAuthSessions(user)).map(({ id }) => id)).toEqual([here]);
    await expect(revokeOwnAuthSession(user, there, client)).rejects.toThrow(NotFoundError);
  });

  it('is not for anyone else to end', async () => {
    const alice = await signedUp();
    const charlie = await signedUp();
    const id = await openedSignIn(alice.userId, '');
    const stranger = await readAuthSession(await openedSignIn(charlie.userId, ''));
    if (!stranger) throw new Error('The sign-in is not there.');
    await expect(revokeOwnAuthSession(stranger, id, client)).rejects.toThrow(NotFoundError);
    expect(await readAuthSession(id)).not.toBeNull();
  });

  it('keeps the first time of a second revocation', async () => {
    const { userId } = await signedUp();
    const id = await openedSignIn(userId, '');
    const revokedAt = new Date('2026-11-21T10:00:00Z');
    await signOutBrowser(id, client, revokedAt);
    await signOutBrowser(id, client);
    const row = await globalDb().authSession.findUnique({ where: { id } });
    expect(row?.revokedAt).toEqual(revokedAt);
  });

  it('ends after 30 days', async () => {
    const { userId } = await signedUp();
    const now = new Date();
    const id = await openedSignIn(userId, '', now);
    const end = now.getTime() + AUTH_SESSION_SECONDS * 1000;
    expect(await readAuthSession(id, new Date(end - 1))).not.toBeNull();
    expect(await readAuthSession(id, new Date(end))).toBeNull();
  });

  it('notes when it was last seen, not at every request', async () => {
    const { userId } = await signedUp();
    const id = await openedSignIn(userId, '');
    const opened = await globalDb().authSession.findUniqueOrThrow({ where: { id } });
    const seenAt = async (afterMs: number) => {
      await readAuthSession(id, new Date(opened.lastSeenAt.getTime() + afterMs));
      const row = await globalDb().authSession.findUniqueOrThrow({ where: { id } });
      return row.lastSeenAt.getTime() - opened.lastSeenAt.getTime();
    };
    expect(await seenAt(4 * MINUTE_MS)).toBe(0);
    expect(await seenAt(6 * MINUTE_MS)).toBe(6 * MINUTE_MS);
  });

  it.each(['', 'x', '0192f3a1-7c4e-7b2a-9d3f-5e6a7b8c9d0e'])('is not read from %j', async (id) => {
    expect(await readAuthSession(id)).toBeNull();
  });
});
