import { randomBytes } from 'node:crypto';
import { joinAsNewPerson } from '@/lib/identity/invitations/accept-invitation';
import { inviteMember } from '@/lib/identity/invitations/manage-invitations';
import { scopeOfMember } from '@/lib/identity/tenancy/make-scope';
import type { Role } from '@/lib/platform/db/roles';
import type { TenantScope } from '@/lib/platform/db/scope';
import { encodeId } from '@/lib/platform/ids';
import { signedUp } from '../accounts/people';

export const PASSWORD = 'correct horse battery';

export function newEmail(name = 'bo'): string {
  return `${name}-${randomBytes(6).toString('hex')}@example.com`;
}

/** The token of an invitation's link. */
export function tokenOf({ link }: { link: string | null }): string {
  const token = link?.split('/invite/')[1];
  if (!token) throw new Error('The invitation has no link.');
  return token;
}

/** Somebody new in the organization, by invitation, as people come. */
export async function joined(owner: TenantScope, role: Role, name = 'Bo Lind') {
  const email = newEmail();
  const token = tokenOf(await inviteMember(owner, { email, role }));
  const input = { name, password: PASSWORD };
  const { userId } = await joinAsNewPerson(token, input, { address: '192.0.2.1' });
  const user = { id: userId, email, label: email, provedAt: new Date(), secondFactorAt: null };
  const scope = await scopeOfMember(user, owner.organizationSlug);
  return { user, scope, email, memberId: encodeId('mem', userId) };
}

/** Alice owns an organization, Bob works in it in some role, Charlie owns another one. */
export async function makeTeam(role: Role = 'operator') {
  const alice = await signedUp({ name: 'Alice Ruiz' });
  const charlie = await signedUp({ name: 'Charlie' });
  const bob = await joined(alice.scope, role, 'Bob Lind');
  return {
    alice: { ...alice, memberId: encodeId('mem', alice.userId) },
    bob,
    charlie: {
      ...charlie,
      user: { id: charlie.userId, email: charlie.email, label: charlie.email },
    },
  };
}
