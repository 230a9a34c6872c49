import { recordAudit } from '@/lib/identity/audit/record-audit';
import { checkEndsAt } from '@/lib/identity/pauses';
import { requireMay } from '@/lib/identity/tenancy/role-matrix';
import type { TenantScope } from '@/lib/platform/db/scope';
import { inTransaction } from '@/lib/platform/db/tenant-db';
import { publish } from '@/lib/platform/domain-events';
import { ConflictError } from '@/lib/platform/errors';
import { requireId } from '@/lib/platform/ids';
import { enqueueAll } from '@/lib/platform/queue/enqueue';
import { chainAcknowledged, chainAcknowledgementEnded } from '../domain-events';
import { getChainRow } from './chain-rows';
import { clearAcknowledgement, markAcknowledged } from './data';

/** Outcomes that a person has to look at. */
const WAITS_FOR_PEOPLE = ['needs_human', 'failed', 'lost'];

/** Maximum duration of an acknowledgement in days. */
const LONGEST_DAYS = 30;

interface AcknowledgeInput {
  note: string;
  /** End of the acknowledgement; null or left out: when the services have recovered. */
  endsAt?: Date | null;
}

/**
 * Acknowledges a chain: a person takes over. Its services are still observed, but don't escalate
 * until they have recovered or the acknowledgement ends. Its incidents are acknowledged with it.
 *
 * @throws ConflictError if it is acknowledged already, or if there is nothing to acknowledge
 */
export async function acknowledgeChain(
  scope: TenantScope,
  chainId: string,
  { note, endsAt = null }: AcknowledgeInput,
  now = new Date(),
): Promise<void> {
  requireMay(scope, 'chain.acknowledge');
  checkEndsAt(endsAt, now, LONGEST_DAYS);
  const id = requireId('chn', chainId);
  const jobs = await inTransaction(scope, async (db) => {
    const chain = await getChainRow(db, id);
    if (!chain.outcome || !WAITS_FOR_PEOPLE.includes(chain.outcome)) {
      throw new ConflictError(
        `Chain #${chain.number} doesn’t need a human, so there is nothing to acknowledge.`,
      );
    }
    if (!(await markAcknowledged(db, id, { at: now, label: scope.actor.label, note, endsAt }))) {
      const by = chain.acknowledgedBy ?? 'Someone else';
      throw new ConflictError(`${by} has already acknowledged Chain #${chain.number}.`);
    }
    await recordAudit(db, scope, {
      action: 'chain.acknowledged',
      target: chainId,
      projectId: chain.projectId,
      detail: { number: chain.number, outcome: chain.outcome, note, endsAt },
    });
    return publish(db, scope, chainAcknowledged, { chainId: id, endsAt, note }, now);
  });
  await enqueueAll(jobs);
}

/** Removes an acknowledgement: the chain needs a human again. A repeated call changes nothing. */
export async function endAcknowledgement(
  scope: TenantScope,
  chainId: string,
  now = new Date(),
): Promise<void> {
  requireMay(scope, 'chain.acknowledge');
  const id = requireId('chn', chainId);
  const jobs = await inTransaction(scope, async (db) => {
    const { number, projectId, acknowledgedBy, acknowledgedAt } = await getChainRow(db, id);
    if (!acknowledgedAt || !(await clearAcknowledgement(db, id))) return [];
    await recordAudit(db, scope, {
      action: 'chain.acknowledgement_ended',
      target: chainId,
      projectId,
      detail: { number, acknowledgedBy },
    });
    return publish(db, scope, chainAcknowledgementEnded, { chainId: id, acknowledgedAt }, now);
  });
  await enqueueAll(jobs);
}
