import { recordAudit } from '@/lib/audit/data';
import { inTransaction } from '@/lib/db/tenant-db';
import { NotFoundError } from '@/lib/errors';
import { requireId } from '@/lib/ids/require-id';
import { requireMay } from '@/lib/tenancy/role-matrix';
import type { TenantScope } from '@/lib/tenancy/scope';
import { findInvitation, markInvitationRevoked } from '../data';
import type { InvitationDto } from '../schema';
import { toInvitationDto } from '../to-dto';

/** Its link is dead at once. A second time, or once it was used, changes nothing. */
export function revokeInvitation(
  scope: TenantScope,
  invitationId: string,
  now = new Date(),
): Promise<InvitationDto> {
  requireMay(scope, 'member.manage');
  const id = requireId('inv', invitationId);
  return inTransaction(scope, async (db) => {
    const before = await findInvitation(db, id);
    if (!before) throw new NotFoundError();
    if (!(await markInvitationRevoked(db, id, now))) return toInvitationDto(before, now);
    await recordAudit(db, scope, {
      action: 'invitation.revoked',
      target: invitationId,
      detail: { before: { email: before.email, role: before.role } },
    });
    return toInvitationDto({ ...before, revokedAt: now }, now);
  });
}
