import { recordAudit } from '@/lib/identity/audit/record-audit';
import { requireMay } from '@/lib/identity/tenancy/role-matrix';
import type { TenantScope } from '@/lib/platform/db/scope';
import { inTransaction } from '@/lib/platform/db/tenant-db';
import { ConflictError, InvalidError, PreconditionFailedError } from '@/lib/platform/errors';
import { encodeId } from '@/lib/platform/ids';
import { getOrganizationRow } from '../data';
import type { DeleteOrganizationInput } from '../schema';
import { countWhatGoes, deleteOrganizationRows, findAnyLiveChain } from './data';

export interface WhatGoes {
  projects: number;
  chains: number;
  members: number;
  runners: number;
  tokens: number;
}

/** What deleting the organization would take along. */
export function getWhatGoes(scope: TenantScope): Promise<WhatGoes> {
  return inTransaction(scope, countWhatGoes);
}

/**
 * Deletes the organization with everything in it but its audit log. Throws InvalidError when the
 * typed slug is another one, ConflictError while a chain runs, PreconditionFailedError for the
 * demo, which the installation's start relies on.
 */
export function deleteOrganization(
  scope: TenantScope,
  { confirmSlug }: DeleteOrganizationInput,
): Promise<void> {
  requireMay(scope, 'organization.delete');
  return inTransaction(scope, async (db) => {
    const { name, slug, isDemo } = await getOrganizationRow(db, scope);
    if (confirmSlug !== slug) {
      const message = `Type ${slug} to delete ${name}.`;
      throw new InvalidError(message, { confirmSlug: message });
    }
    if (isDemo) {
      throw new PreconditionFailedError('The demo organization is part of this installation.');
    }
    const live = await findAnyLiveChain(db);
    if (live) {
      throw new ConflictError(
        `Chain #${live.number} of ${live.project.name} is still running. Stop it, then delete ${name}.`,
        { chainId: encodeId('chn', live.id), number: live.number },
      );
    }
    await deleteOrganizationRows(db, scope.organizationId);
    await recordAudit(db, scope, {
      action: 'organization.deleted',
      target: encodeId('org', scope.organizationId),
      detail: { before: { name, slug } },
    });
  });
}
