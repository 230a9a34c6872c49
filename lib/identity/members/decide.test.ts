import { describe, expect, it } from 'vitest';
import { ROLES, type Role } from '@/lib/platform/db/roles';
import { decideMemberChange, grantableRoles, type MemberChange } from './decide';

const change: MemberChange = {
  actorRole: 'owner',
  isSelf: false,
  from: 'operator',
  to: 'viewer',
  ownerCount: 1,
};

describe('[SAS-1.2] a change of a membership', () => {
  it.each<[string, Partial<MemberChange>, string]>([
    ['an admin makes an operator viewer', { actorRole: 'admin' }, 'allow'],
    ['an admin makes an operator admin', { actorRole: 'admin', to: 'admin' }, 'allow'],
    ['an admin makes an operator owner', { actorRole: 'admin', to: 'owner' }, 'forbid'],
    [
      'an admin makes themselves owner',
      { actorRole: 'admin', isSelf: true, from: 'admin', to: 'owner' },
      'forbid',
    ],
    [
      'an admin removes an owner',
      { actorRole: 'admin', from: 'owner', to: null, ownerCount: 2 },
      'forbid',
    ],
    ['an admin removes an admin', { actorRole: 'admin', from: 'admin', to: null }, 'allow'],
    ['an operator removes a viewer', { actorRole: 'operator', from: 'viewer', to: null }, 'forbid'],
    [
      'an operator makes themselves admin',
      { actorRole: 'operator', isSelf: true, to: 'admin' },
      'forbid',
    ],
    ['an operator makes themselves viewer', { actorRole: 'operator', isSelf: true }, 'allow'],
    ['a viewer leaves', { actorRole: 'viewer', isSelf: true, from: 'viewer', to: null }, 'allow'],
    ['an owner makes an operator owner', { to: 'owner' }, 'allow'],
    ['an owner of two is demoted', { from: 'owner', to: 'admin', ownerCount: 2 }, 'allow'],
    ['the last owner is demoted', { isSelf: true, from: 'owner', to: 'admin' }, 'conflict'],
    ['the last owner leaves', { isSelf: true, from: 'owner', to: null }, 'conflict'],
    ['the same role again', { to: 'operator' }, 'unchanged'],
  ])('%s', (_name, given, kind) => {
    expect(decideMemberChange({ ...change, ...given }).kind).toBe(kind);
  });
});

describe('[SAS-1.2] roles that somebody may give', () => {
  it.each<[Role, Role[]]>([
    ['viewer', []],
    ['operator', []],
    ['admin', ['viewer', 'operator', 'admin']],
    ['owner', ['viewer', 'operator', 'admin', 'owner']],
  ])('%s', (role, expected) => {
    expect(grantableRoles(role, ROLES)).toEqual(expected);
  });
});
