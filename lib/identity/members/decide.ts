import { hasRole, type Role } from '@/lib/platform/db/roles';
import { mayDo } from '../tenancy/role-matrix';

/** Facts about a membership change; `to` null: the person leaves or is removed. */
export interface MemberChange {
  actorRole: Role;
  isSelf: boolean;
  from: Role;
  to: Role | null;
  /** Of the whole organization, the person themselves among them. */
  ownerCount: number;
}

type MemberDecision =
  | { kind: 'allow' }
  | { kind: 'unchanged' }
  | { kind: 'forbid'; reason: string }
  | { kind: 'conflict'; reason: string };

const LAST_OWNER =
  'An organization needs an owner, and there is no other. Make someone else owner first.';

/**
 * Decides a membership change. Anyone may leave or lower their own role; nobody can grant, revoke
 * or change a role above their own.
 */
export function decideMemberChange(change: MemberChange): MemberDecision {
  const { actorRole, isSelf, from, to, ownerCount } = change;
  if (from === to) return { kind: 'unchanged' };
  const isLess = to === null || hasRole(from, to);
  if (!(isSelf && isLess) && !mayDo(actorRole, 'member.manage')) {
    return { kind: 'forbid', reason: `This needs the admin role. Yours is ${actorRole}.` };
  }
  const touchesOwner = from === 'owner' || to === 'owner';
  if (touchesOwner && !mayDo(actorRole, 'owner.manage')) {
    return { kind: 'forbid', reason: `Only an owner can do this. Your role is ${actorRole}.` };
  }
  if (from === 'owner' && ownerCount <= 1) return { kind: 'conflict', reason: LAST_OWNER };
  return { kind: 'allow' };
}

/** Returns the roles that a person of this role may assign, lowest first. */
export function grantableRoles(actorRole: Role, all: readonly Role[]): Role[] {
  return mayDo(actorRole, 'member.manage') ? all.filter((role) => hasRole(actorRole, role)) : [];
}
