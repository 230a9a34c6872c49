import { beforeAll, describe, expect, it } from 'vitest';
import { signInWithProvider } from '@/lib/identity/auth/sign-in';
import {
  acceptInvitation,
  joinAsNewPerson,
  openInvitation,
} from '@/lib/identity/invitations/accept-invitation';
import {
  inviteMember,
  listInvitations,
  resendInvitation,
  revokeInvitation,
} from '@/lib/identity/invitations/manage-invitations';
import { listMine } from '@/lib/identity/organizations/service';
import { scopeOfMember } from '@/lib/identity/tenancy/make-scope';
import { globalDb } from '@/lib/platform/db/global-db';
import { inTransaction } from '@/lib/platform/db/tenant-db';
import { ConflictError, ForbiddenError, NotFoundError } from '@/lib/platform/errors';
import { useTestDatabase } from '@/tests/support/database';
import { selectAll, signedUp } from '../accounts/people';
import { makeTeam, newEmail, PASSWORD, tokenOf } from './people';

const database = useTestDatabase();
beforeAll(() => {
  process.env.TIERWATCH_SIGN_UP = 'invite';
});
const client = { address: '192.0.2.7' };
const DAY_MS = 86_400_000;
const person = { name: 'Bo Lind', password: PASSWORD };

async function invited(now = new Date()) {
  const alice = await signedUp({ name: 'Ana Ruiz' });
  const email = newEmail();
  const sent = await inviteMember(alice.scope, { email, role: 'operator' }, now);
  return { alice, email, sent, token: tokenOf(sent) };
}

async function auditOf(scope: Parameters<typeof listInvitations>[0]) {
  const rows = await inTransaction(scope, (db) =>
    db.auditLog.findMany({ orderBy: { seq: 'asc' } }),
  );
  return rows.map(({ action }) => action);
}

describe('[SAS-1.2] an invitation', () => {
  it('names its organization, inviter, role and end; its token is stored as a hash alone', async () => {
    const now = new Date();
    const { alice, email, sent, token } = await invited(now);
    expect(sent).toMatchObject({
      email,
      role: 'operator',
      state: 'pending',
      invitedBy: 'Ana Ruiz',
    });
    expect(sent.expiresAt).toBe(new Date(now.getTime() + 7 * DAY_MS).toISOString());
    expect(await openInvitation(token, null)).toMatchObject({
      organizationName: alice.organizationName,
      invitedBy: 'Ana Ruiz',
      step: 'sign_up',
    });
    const rows = await selectAll(database, 'select * from invitation where email = $1', [email]);
    const log = await selectAll(database, 'select detail from audit_log');
    expect(JSON.stringify([rows, log])).not.toContain(token);
    expect(await auditOf(alice.scope)).toEqual(['organization.created', 'invitation.created']);
  });

  it('makes a new person a member in its role, also where sign-up is closed', async () => {
    const { alice, email, token } = await invited();
    const made = await joinAsNewPerson(token, person, client);
    const scope = await scopeOfMember({ id: made.userId, label: email }, made.organizationSlug);
    expect(scope).toMatchObject({ organizationId: alice.organizationId, role: 'operator' });
    expect(await globalDb().user.findUnique({ where: { email } })).toMatchObject({
      name: 'Bo Lind',
      passwordHash: expect.stringMatching(/^\$argon2id\$/),
    });
    expect(await auditOf(alice.scope)).toContain('member.joined');
    expect((await listInvitations(alice.scope, { limit: 10 })).data).toEqual([]);
  });

  it('[SEC-1.3] refuses a password that is easy to guess, and the link stays good', async () => {
    const { email, token } = await invited();
    const weak = { ...person, password: 'password123' };
    await expect(joinAsNewPerson(token, weak, client)).rejects.toMatchObject({
      fields: { password: expect.stringContaining('easy to guess') },
    });
    expect(await globalDb().user.findUnique({ where: { email } })).toBeNull();
    expect((await openInvitation(token, null))?.step).toBe('sign_up');
  });

  it('lets someone with an account join beside their own organization', async () => {
    const { alice, charlie } = await makeTeam();
    const sent = await inviteMember(alice.scope, { email: charlie.email, role: 'viewer' });
    expect((await openInvitation(tokenOf(sent), null))?.step).toBe('sign_in');
    await acceptInvitation(tokenOf(sent), charlie.user);
    const mine = await listMine(charlie.userId);
    expect(mine.map(({ role }) => role).sort()).toEqual(['owner', 'viewer']);
  });

  it('is refused to whoever is signed in with another address', async () => {
    const { token, alice } = await invited();
    const charlie = await signedUp();
    const user = { id: charlie.userId, email: charlie.email, label: charlie.email };
    expect((await openInvitation(token, user))?.step).toBe('switch_account');
    await expect(acceptInvitation(token, user)).rejects.toThrow(ForbiddenError);
    await expect(scopeOfMember(user, alice.organizationSlug)).rejects.toThrow(NotFoundError);
  });

  it('works once, also when two come in the same moment', async () => {
    const { token, email, alice } = await invited();
    const results = await Promise.allSettled([
      joinAsNewPerson(token, person, client),
      joinAsNewPerson(token, person, client),
    ]);
    expect(results.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    expect((await openInvitation(token, null))?.step).toBe('accepted');
    const bo = await globalDb().user.findUniqueOrThrow({ where: { email } });
    const again = acceptInvitation(token, { id: bo.id, email, label: email });
    await expect(again).rejects.toThrow(ConflictError);
    const joins = (await auditOf(alice.scope)).filter((action) => action === 'member.joined');
    expect(joins).toHaveLength(1);
  });

  it('ends after seven days, and says who to ask', async () => {
    const { token, alice } = await invited(new Date(Date.now() - 7 * DAY_MS));
    expect(await openInvitation(token, null)).toMatchObject({
      step: 'expired',
      invitedBy: 'Ana Ruiz',
    });
    const late = joinAsNewPerson(token, person, client);
    await expect(late).rejects.toThrow('Ask Ana Ruiz for a new one.');
    const [listed] = (await listInvitations(alice.scope, { limit: 10 })).data;
    expect(listed?.state).toBe('expired');
  });

  it('sent again has a new link and a new end; the previous link stops working', async () => {
    const { token, sent, alice } = await invited(new Date(Date.now() - 8 * DAY_MS));
    const again = await resendInvitation(alice.scope, sent.id);
    expect(again).toMatchObject({ id: sent.id, state: 'pending' });
    expect(await openInvitation(token, null)).toBeNull();
    await expect(joinAsNewPerson(token, person, client)).rejects.toThrow(NotFoundError);
    await joinAsNewPerson(tokenOf(again), person, client);
    await expect(resendInvitation(alice.scope, sent.id)).rejects.toThrow(ConflictError);
    expect(await auditOf(alice.scope)).toContain('invitation.resent');
  });

  it('for an address with an open one replaces it; there is never a second', async () => {
    const { token, email, alice } = await invited();
    const both = await Promise.all([
      inviteMember(alice.scope, { email, role: 'admin' }),
      inviteMember(alice.scope, { email, role: 'admin' }),
    ]);
    expect(new Set(both.map(({ id }) => id)).size).toBe(1);
    expect(await openInvitation(token, null)).toBeNull();
    const listed = (await listInvitations(alice.scope, { limit: 10 })).data;
    expect(listed).toMatchObject([{ email, role: 'admin' }]);
  });

  it('of a fresh address from two people at once is one invitation', async () => {
    const alice = await signedUp();
    const email = newEmail();
    const both = await Promise.all(
      ['viewer', 'operator'].map((role) =>
        inviteMember(alice.scope, { email, role: role === 'viewer' ? 'viewer' : 'operator' }),
      ),
    );
    expect(new Set(both.map(({ id }) => id)).size).toBe(1);
  });

  it('revoked no longer works, and a second time changes nothing', async () => {
    const { token, sent, alice } = await invited();
    expect((await revokeInvitation(alice.scope, sent.id)).state).toBe('revoked');
    expect((await openInvitation(token, null))?.step).toBe('revoked');
    await expect(joinAsNewPerson(token, person, client)).rejects.toThrow(ConflictError);
    const before = await auditOf(alice.scope);
    expect((await revokeInvitation(alice.scope, sent.id)).state).toBe('revoked');
    expect(await auditOf(alice.scope)).toEqual(before);
  });

  it('of a member is refused', async () => {
    const { alice, bob } = await makeTeam();
    const again = inviteMember(alice.scope, { email: bob.email, role: 'admin' });
    await expect(again).rejects.toThrow(ConflictError);
  });

  it('as owner can be sent by an owner alone, and no admin turns one into a link', async () => {
    const { alice, bob } = await makeTeam('admin');
    const email = newEmail();
    await expect(inviteMember(bob.scope, { email, role: 'owner' })).rejects.toThrow(ForbiddenError);
    const sent = await inviteMember(alice.scope, { email, role: 'owner' });
    await expect(resendInvitation(bob.scope, sent.id)).rejects.toThrow(ForbiddenError);
    await expect(inviteMember(bob.scope, { email, role: 'admin' })).rejects.toThrow(ForbiddenError);
  });

  it('is nothing to another organization, and is made by admins alone', async () => {
    const { sent, alice } = await invited();
    const { charlie, bob } = await makeTeam();
    for (const attempt of [
      () => resendInvitation(charlie.scope, sent.id),
      () => revokeInvitation(charlie.scope, sent.id),
    ]) {
      await expect(attempt()).rejects.toThrow(NotFoundError);
    }
    expect((await listInvitations(charlie.scope, { limit: 10 })).data).toEqual([]);
    const byOperator = inviteMember(bob.scope, { email: newEmail(), role: 'viewer' });
    await expect(byOperator).rejects.toThrow(ForbiddenError);
    await expect(listInvitations(bob.scope, { limit: 10 })).rejects.toThrow(ForbiddenError);
    expect((await listInvitations(alice.scope, { limit: 10 })).data).toHaveLength(1);
  });

  it('lets its address in through a provider that has verified it, where sign-up is closed', async () => {
    const { email } = await invited();
    const profile = {
      provider: 'oidc',
      providerAccountId: email,
      email,
      isEmailVerified: true,
      name: 'Bo',
    };
    expect((await signInWithProvider(profile, { address: '192.0.2.1' })).ok).toBe(true);
    const stranger = { ...profile, providerAccountId: 's', email: newEmail('stranger') };
    expect(await signInWithProvider(stranger, { address: '192.0.2.1' })).toEqual({
      ok: false,
      reason: 'sign_up_closed',
    });
  });
});
