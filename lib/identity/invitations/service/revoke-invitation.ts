import { recordAudit } from '@/lib/identity/audit/record-audit';
import { requireMay } from '@/lib/identity/tenancy/role-matrix';
import type { TenantScope } from '@/lib/platform/db/scope';
import { inTransaction } from '@/lib/platform/db/tenant-db';
import { NotFoundError } from '@/lib/platform/errors';
import { requireId } from '@/lib/platform/ids/require-id';
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
