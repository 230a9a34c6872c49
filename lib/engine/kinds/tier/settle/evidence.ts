import { listFailedServices } from '@/lib/monitoring/checker-rows';
import type { OrganizationId } from '@/lib/platform/db/scope';
import type { TenantDb } from '@/lib/platform/db/tenant-db';
import { listProjectSignals } from '@/lib/signals/signal-rows';
import { listFailedInChain } from './data';
import type { SettlementFacts } from './facts';

/**
 * Reads what is known about services at the end of a session, beside the session's own events: failed checks
 * of the chain's other sessions, checks that fail without an agent, and alerts.
 */
export async function readEvidence(
  db: TenantDb,
  organizationId: OrganizationId,
  chain: { id: string; projectId: string; createdAt: Date; signalIds: readonly string[] },
  session: { id: string; startedAt: Date | null },
  now: Date,
): Promise<SettlementFacts['evidence']> {
  const { projectId, createdAt, signalIds } = chain;
  const during = { from: createdAt, until: session.startedAt ?? now };
  const [inChain, watched, signals] = await Promise.all([
    listFailedInChain(db, organizationId, chain.id, session.id),
    listFailedServices(db, organizationId, projectId, during),
    listProjectSignals(db, projectId, signalIds),
  ]);
  const named = (list: typeof signals) => list.flatMap(({ service }) => service ?? []);
  const firing = signals.filter(({ status }) => status === 'firing');
  // An alert that names no service may be about anything, so it counts where it started the chain.
  const unnamed = signals.filter(({ id, service }) => service === null && signalIds.includes(id));
  return {
    failedBefore: [...new Set([...inChain, ...watched])],
    signals: {
      firing: named(firing),
      reported: named(signals),
      isUnnamedFiring: unnamed.some(({ status }) => status === 'firing'),
      isUnnamedReported: unnamed.length > 0,
    },
  };
}
