import { describe, expect, it } from 'vitest';
import { createApiToken, listApiTokens } from '@/lib/identity/api-tokens/service';
import {
  changeRole,
  leaveOrganization,
  removeMember,
} from '@/lib/identity/members/change-membership';
import { getMember, listMembers } from '@/lib/identity/members/list-members';
import { scopeOfApiToken, scopeOfMember } from '@/lib/identity/tenancy/make-scope';
import type { TenantScope } from '@/lib/platform/db/scope';
import { inTransaction } from '@/lib/platform/db/tenant-db';
import { ConflictError, ForbiddenError, NotFoundError } from '@/lib/platform/errors';
import { openedSignIn } from '@/tests/integration/accounts/people';
import { useTestDatabase } from '@/tests/support/database';
import { joined, makeTeam } from './people';

useTestDatabase();
const revoking = { revokeTokens: true };

async function rolesOf(scope: TenantScope): Promise<string[]> {
  return (await listMembers(scope, { limit: 100 })).data.map(({ role }) => role).sort();
}

async function lastEntry(scope: TenantScope) {
  return inTransaction(scope, (db) => db.auditLog.findFirst({ orderBy: { seq: 'desc' } }));
}

describe('[SAS-1.2] the list of members', () => {
  it('tells admins addresses and when someone was last seen, others names and roles', async () => {
    const { alice, bob, charlie } = await makeTeam();
    await openedSignIn(bob.user.id, 'Firefox');
    const full = (await listMembers(alice.scope, { limit: 10 })).data;
    expect(full).toMatchObject([
      {
        id: alice.memberId,
        role: 'owner',
        email: alice.email,
        tokenCount: 0,
        hasSecondFactor: false,
      },
      { id: bob.memberId, role: 'operator', email: bob.email, lastSeenAt: expect.any(String) },
    ]);
    const seen = (await listMembers(bob.scope, { limit: 10 })).data;
    expect(seen).toMatchObject([
      {
        name: 'Alice Ruiz',
        role: 'owner',
        email: null,
        lastSeenAt: null,
        tokenCount: null,
        hasSecondFactor: null,
      },
      { name: 'Bob Lind', role: 'operator', email: bob.email, lastSeenAt: null },
    ]);
    await expect(getMember(charlie.scope, bob.memberId)).rejects.toThrow(NotFoundError);
  });

  it('is walked page by page in the order of joining', async () => {
    const { alice, bob } = await makeTeam();
    const third = await joined(alice.scope, 'viewer');
    const first = await listMembers(alice.scope, { limit: 2 });
    const rest = await listMembers(alice.scope, { limit: 2, cursor: first.nextCursor ?? '' });
    expect([...first.data, ...rest.data].map(({ id }) => id)).toEqual([
      alice.memberId,
      bob.memberId,
      third.memberId,
    ]);
    expect(rest.nextCursor).toBeNull();
  });
});

describe('[SAS-1.2] a change of role', () => {
  it('holds from the next request on and is in the audit log', async () => {
    const { alice, bob } = await makeTeam();
    await changeRole(alice.scope, bob.memberId, { role: 'viewer', ...revoking });
    expect((await scopeOfMember(bob.user, alice.organizationSlug)).role).toBe('viewer');
    expect(await lastEntry(alice.scope)).toMatchObject({
      action: 'member.role_changed',
      target: bob.memberId,
      detail: { person: bob.email, before: { role: 'operator' }, after: { role: 'viewer' } },
    });
  });

  it('to the same role changes and notes nothing', async () => {
    const { alice, bob } = await makeTeam();
    const before = await lastEntry(alice.scope);
    await changeRole(alice.scope, bob.memberId, { role: 'operator', ...revoking });
    expect(await lastEntry(alice.scope)).toEqual(before);
  });

  it('is nothing that an operator, an outsider or a scope that has aged may do', async () => {
    const { alice, bob, charlie } = await makeTeam('admin');
    const carol = await joined(alice.scope, 'viewer');
    const toAdmin = { role: 'admin', ...revoking } as const;
    await expect(changeRole(carol.scope, carol.memberId, toAdmin)).rejects.toThrow(ForbiddenError);
    await expect(changeRole(charlie.scope, bob.memberId, toAdmin)).rejects.toThrow(NotFoundError);
    // Bob's request has started as admin; meanwhile Alice takes that away.
    await changeRole(alice.scope, bob.memberId, { role: 'viewer', ...revoking });
    await expect(changeRole(bob.scope, carol.memberId, toAdmin)).rejects.toThrow(ForbiddenError);
    await removeMember(alice.scope, bob.memberId, revoking);
    await expect(changeRole(bob.scope, carol.memberId, toAdmin)).rejects.toThrow(NotFoundError);
    expect(await rolesOf(alice.scope)).toEqual(['owner', 'viewer']);
  });

  it('by an admin touches no owner and makes none', async () => {
    const { alice, bob } = await makeTeam('admin');
    const carol = await joined(alice.scope, 'owner');
    for (const attempt of [
      () => changeRole(bob.scope, alice.memberId, { role: 'viewer', ...revoking }),
      () => changeRole(bob.scope, bob.memberId, { role: 'owner', ...revoking }),
      () => removeMember(bob.scope, carol.memberId, revoking),
    ]) {
      await expect(attempt()).rejects.toThrow(ForbiddenError);
    }
    expect(await rolesOf(alice.scope)).toEqual(['admin', 'owner', 'owner']);
  });
});

describe('[SAS-1.2] the last owner', () => {
  it('cannot leave, be removed or be demoted, until someone else is owner', async () => {
    const { alice, bob } = await makeTeam('admin');
    for (const attempt of [
      () => leaveOrganization(alice.scope, revoking),
      () => removeMember(alice.scope, alice.memberId, revoking),
      () => changeRole(alice.scope, alice.memberId, { role: 'admin', ...revoking }),
    ]) {
      await expect(attempt()).rejects.toThrow('Make someone else owner first.');
    }
    await changeRole(alice.scope, bob.memberId, { role: 'owner', ...revoking });
    await leaveOrganization(alice.scope, revoking);
    expect(await rolesOf({ ...bob.scope, role: 'owner' })).toEqual(['owner']);
  });

  it('stays when two owners demote each other in the same moment', async () => {
    for (let round = 0; round < 5; round += 1) {
      const { alice, bob } = await makeTeam('owner');
      const results = await Promise.allSettled([
        changeRole(alice.scope, bob.memberId, { role: 'viewer', ...revoking }),
        changeRole(bob.scope, alice.memberId, { role: 'viewer', ...revoking }),
      ]);
      expect(results.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
      expect(await rolesOf(alice.scope)).toEqual(['owner', 'viewer']);
    }
  });

  it('stays when two owners leave in the same moment', async () => {
    for (let round = 0; round < 5; round += 1) {
      const { alice, bob } = await makeTeam('owner');
      const results = await Promise.allSettled([
        leaveOrganization(alice.scope, revoking),
        leaveOrganization(bob.scope, revoking),
      ]);
      const refused = results.find(({ status }) => status === 'rejected');
      expect(refused).toMatchObject({ reason: expect.any(ConflictError) });
      expect(await rolesOf(alice.scope)).toEqual(['owner']);
    }
  });
});

describe('[SAS-1.2] somebody who goes', () => {
  it('has no access from the next request on, and can be invited again', async () => {
    const { alice, bob } = await makeTeam();
    await removeMember(alice.scope, bob.memberId, revoking);
    await expect(scopeOfMember(bob.user, alice.organizationSlug)).rejects.toThrow(NotFoundError);
    await expect(removeMember(alice.scope, bob.memberId, revoking)).rejects.toThrow(NotFoundError);
    expect(await lastEntry(alice.scope)).toMatchObject({ action: 'member.removed' });
  });

  it('may leave as a viewer', async () => {
    const { alice, bob } = await makeTeam('viewer');
    await leaveOrganization(bob.scope, revoking);
    expect(await rolesOf(alice.scope)).toEqual(['owner']);
    expect(await lastEntry(alice.scope)).toMatchObject({
      action: 'member.left',
      actor: `user:${bob.user.id}`,
    });
  });

  it('takes the tokens that they made along, unless those are to stay', async () => {
    const { alice, bob } = await makeTeam('admin');
    const input = { name: 'deploy', scopes: ['all' as const], expiresInDays: 1 };
    const own = await createApiToken(alice.scope, input);
    const theirs = await createApiToken(bob.scope, input);
    const ofTheirs = await createApiToken(await scopeOfApiToken(theirs.token), input);
    await changeRole(alice.scope, bob.memberId, { role: 'viewer', revokeTokens: false });
    expect((await scopeOfApiToken(theirs.token)).role).toBe('admin');
    await removeMember(alice.scope, bob.memberId, revoking);
    await expect(scopeOfApiToken(theirs.token)).rejects.toThrow('revoked');
    await expect(scopeOfApiToken(ofTheirs.token)).rejects.toThrow('revoked');
    expect(await scopeOfApiToken(own.token)).toMatchObject({ role: 'owner' });
    expect((await listApiTokens(alice.scope, { limit: 10 })).data).toHaveLength(3);
  });

  it('demoted from owner leaves no token that still does what an owner may', async () => {
    const { alice, bob } = await makeTeam('owner');
    const input = { name: 'deploy', scopes: ['all' as const], expiresInDays: 1 };
    const { token } = await createApiToken(bob.scope, input);
    await changeRole(alice.scope, bob.memberId, { role: 'admin', ...revoking });
    expect((await scopeOfApiToken(token)).role).toBe('admin');
  });
});
