import { asRole, type Role } from '@/lib/platform/db/roles';
import type { TenantScope } from '@/lib/platform/db/scope';
import { inTransaction, type TenantDb } from '@/lib/platform/db/tenant-db';
import { ConflictError, ForbiddenError, NotFoundError } from '@/lib/platform/errors';
import { encodeId, requireId } from '@/lib/platform/ids';
import { lowerTokensOfMaker, revokeTokensOfMaker } from '../api-tokens/data';
import { recordAudit } from '../audit/record-audit';
import { requireRecentProofOf } from '../tenancy/recent-proof';
import { mayDo } from '../tenancy/role-matrix';
import {
  countOwners,
  deleteMember,
  findMemberRow,
  findRole,
  lockMemberships,
  type MemberRow,
  setMemberRole,
} from './data';
import { decideMemberChange } from './decide';
import { memberDto } from './list-members';
import type { ChangeRoleInput, MemberDto, RemoveMemberInput } from './schema';

/**
 * Throws ForbiddenError for more than the actor has, ConflictError for the last owner, and
 * ProofRequiredError when someone becomes owner or stops being one.
 */
export function changeRole(
  scope: TenantScope,
  memberId: string,
  input: ChangeRoleInput,
  now = new Date(),
): Promise<MemberDto> {
  const userId = requireId('mem', memberId);
  return inTransaction(scope, async (db) => {
    const change = await permitChange(db, scope, userId, input.role, now);
    if (change) {
      await setMemberRole(db, userId, input.role);
      const revokedTokens = await fitTokens(db, change, input, now);
      await recordAudit(db, scope, {
        action: 'member.role_changed',
        target: encodeId('mem', userId),
        detail: {
          person: change.row.user.email,
          before: { role: change.from },
          after: { role: input.role },
          revokedTokens,
        },
      });
    }
    return memberDto(db, scope, userId, now);
  });
}

/** Removes a member, who loses access with the next request. Throws as `changeRole`. */
export function removeMember(
  scope: TenantScope,
  memberId: string,
  input: RemoveMemberInput,
  now = new Date(),
): Promise<void> {
  return endMembership(scope, requireId('mem', memberId), input, now);
}

/** Ends the actor's own membership. Throws ConflictError for the last owner. */
export function leaveOrganization(
  scope: TenantScope,
  input: RemoveMemberInput,
  now = new Date(),
): Promise<void> {
  if (scope.actor.kind !== 'user') throw new ForbiddenError('Only a person can leave.');
  return endMembership(scope, scope.actor.id, input, now);
}

function endMembership(
  scope: TenantScope,
  userId: string,
  input: RemoveMemberInput,
  now: Date,
): Promise<void> {
  return inTransaction(scope, async (db) => {
    const change = await permitChange(db, scope, userId, null, now);
    if (!change) return;
    await deleteMember(db, userId);
    const revokedTokens = await fitTokens(db, change, input, now);
    await recordAudit(db, scope, {
      action: change.isSelf ? 'member.left' : 'member.removed',
      target: encodeId('mem', userId),
      detail: { person: change.row.user.email, before: { role: change.from }, revokedTokens },
    });
  });
}

interface PermittedChange {
  row: MemberRow;
  isSelf: boolean;
  from: Role;
  to: Role | null;
}

/** Null when nothing changes. From here to the commit no other membership changes. */
async function permitChange(
  db: TenantDb,
  scope: TenantScope,
  userId: string,
  to: Role | null,
  now: Date,
): Promise<PermittedChange | null> {
  await lockMemberships(db);
  const row = await findMemberRow(db, userId);
  if (!row) throw new NotFoundError();
  const isSelf = scope.actor.kind === 'user' && scope.actor.id === userId;
  const from = asRole(row.role);
  const decision = decideMemberChange({
    actorRole: await currentRole(db, scope),
    isSelf,
    from,
    to,
    ownerCount: await countOwners(db),
  });
  if (decision.kind === 'unchanged') return null;
  if (decision.kind === 'forbid') throw new ForbiddenError(decision.reason);
  if (decision.kind === 'conflict') throw new ConflictError(decision.reason);
  if (from === 'owner' || to === 'owner') requireRecentProofOf(scope, now);
  return { row, isSelf, from, to };
}

/** The scope is as old as its request: the actor may have been demoted while they waited. */
async function currentRole(db: TenantDb, scope: TenantScope): Promise<Role> {
  if (scope.actor.kind !== 'user') return scope.role;
  const role = await findRole(db, scope.actor.id);
  if (!role) throw new NotFoundError();
  return asRole(role);
}

/** A token can't have more rights than its creator, and only admins and owners have tokens. */
async function fitTokens(
  db: TenantDb,
  { row, to }: PermittedChange,
  { revokeTokens }: RemoveMemberInput,
  now: Date,
): Promise<number> {
  const keepsTokens = to !== null && mayDo(to, 'token.manage');
  if (!keepsTokens && revokeTokens) return revokeTokensOfMaker(db, row.user.email, now);
  if (to !== 'owner') await lowerTokensOfMaker(db, row.user.email);
  return 0;
}
