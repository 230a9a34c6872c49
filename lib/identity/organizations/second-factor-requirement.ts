import type { TenantScope } from '@/lib/platform/db/scope';
import { inTransaction } from '@/lib/platform/db/tenant-db';
import { PreconditionFailedError } from '@/lib/platform/errors';
import { encodeId } from '@/lib/platform/ids';
import { recordAudit } from '../audit/record-audit';
import { listHolders } from '../factors/data';
import { requireRecentProofOf } from '../tenancy/recent-proof';
import { requireMay } from '../tenancy/role-matrix';
import { listMemberIds, setSecondFactorRequirement } from './data';

/**
 * Requires a second factor of every member, or stops requiring it. Members without one reach nothing
 * of the organization from the commit on. Repeating it changes nothing. Throws PreconditionFailedError
 * when the actor has no second factor, who would lock themselves out, and ProofRequiredError.
 */
export function setSecondFactorRequired(
  scope: TenantScope,
  isRequired: boolean,
  now = new Date(),
): Promise<void> {
  requireMay(scope, 'second_factor.require');
  requireRecentProofOf(scope, now);
  return inTransaction(scope, async (db) => {
    const { actor, organizationId } = scope;
    if (isRequired && !(await listHolders(db, [actor.id])).has(actor.id)) {
      throw new PreconditionFailedError(
        'Your own account has no second factor, so this would lock you out. Set one up under Your profile first.',
      );
    }
    if (!(await setSecondFactorRequirement(db, isRequired))) return;
    await recordAudit(db, scope, {
      action: isRequired
        ? 'organization.second_factor_required'
        : 'organization.second_factor_optional',
      target: encodeId('org', organizationId),
    });
  });
}

/** Returns how many members have no second factor. */
export function countWithoutSecondFactor(scope: TenantScope): Promise<number> {
  requireMay(scope, 'member.read');
  return inTransaction(scope, async (db) => {
    const userIds = await listMemberIds(db);
    return userIds.length - (await listHolders(db, userIds)).size;
  });
}
