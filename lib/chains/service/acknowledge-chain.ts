import { recordAudit } from '@/lib/audit/data';
import { inTransaction } from '@/lib/db/tenant-db';
import { ConflictError } from '@/lib/errors';
import { requireId } from '@/lib/ids/require-id';
import { requireMay } from '@/lib/tenancy/role-matrix';
import type { TenantScope } from '@/lib/tenancy/scope';
import { getChainWithProject, markAcknowledged } from '../view/data';

/** Outcomes that leave something for a person to look at. */
const WAITS_FOR_PEOPLE = ['needs_human', 'failed', 'lost'];

/**
 * Says that a person has taken a chain in hand.
 *
 * @throws ConflictError when someone has already, or when there is nothing to look at
 */
export function acknowledgeChain(
  scope: TenantScope,
  chainId: string,
  note: string,
  now = new Date(),
): Promise<void> {
  requireMay(scope, 'chain.acknowledge');
  const id = requireId('chn', chainId);
  return inTransaction(scope, async (db) => {
    const chain = await getChainWithProject(db, { id });
    if (!chain.outcome || !WAITS_FOR_PEOPLE.includes(chain.outcome)) {
      throw new ConflictError(
        `Chain #${chain.number} does not wait for a human. There is nothing to acknowledge.`,
      );
    }
    if (!(await markAcknowledged(db, id, { at: now, label: scope.actor.label, note }))) {
      const by = chain.acknowledgedBy ?? 'Someone else';
      throw new ConflictError(`${by} has already acknowledged chain #${chain.number}.`);
    }
    await recordAudit(db, scope, {
      action: 'chain.acknowledged',
      target: chainId,
      projectId: chain.projectId,
      detail: { number: chain.number, outcome: chain.outcome, note },
    });
  });
}
