import { recordAudit } from '@/lib/identity/audit/record-audit';
import { requireMay } from '@/lib/identity/tenancy/role-matrix';
import type { TenantScope } from '@/lib/platform/db/scope';
import { inTransaction } from '@/lib/platform/db/tenant-db';
import { InvalidError } from '@/lib/platform/errors';
import { encodeId } from '@/lib/platform/ids';
import { getOrganizationRow, isSlugConflict, isSlugTaken } from '../data';
import type { ChangeOrganizationInput, OrganizationDto } from '../schema';
import { getOrganization } from '../service';
import { updateOrganization } from './data';

/** Throws InvalidError at the field when another organization has the slug. */
export async function changeOrganization(
  scope: TenantScope,
  input: ChangeOrganizationInput,
): Promise<OrganizationDto> {
  requireMay(scope, 'organization.change');
  try {
    await inTransaction(scope, async (db) => {
      const { name, slug } = await getOrganizationRow(db, scope);
      const after = { name: input.name ?? name, slug: input.slug ?? slug };
      if (after.name === name && after.slug === slug) return;
      if (after.slug !== slug && (await isSlugTaken(after.slug))) throw slugTaken();
      await updateOrganization(db, scope.organizationId, after);
      await recordAudit(db, scope, {
        action: 'organization.changed',
        target: encodeId('org', scope.organizationId),
        detail: { before: { name, slug }, after },
      });
    });
  } catch (error) {
    // Someone took the slug between the look and the write.
    throw isSlugConflict(error) ? slugTaken() : error;
  }
  return getOrganization(scope);
}

function slugTaken(): InvalidError {
  const message = 'Another organization has this address. Choose a different one.';
  return new InvalidError(message, { slug: message });
}
