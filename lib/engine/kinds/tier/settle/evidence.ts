import { listProjectAlerts } from '@/lib/alerts/alert-rows';
import { listFailedServices } from '@/lib/monitoring/checker-rows';
import type { OrganizationId } from '@/lib/platform/db/scope';
import type { TenantDb } from '@/lib/platform/db/tenant-db';
import { listFailedInChain } from './data';
import type { SettlementFacts } from './facts';

/**
 * Reads what is known about services at the end of a session, beside the session's own events: failed checks
 * of the chain's other sessions, checks that fail without an agent, and alerts.
 */
export async function readEvidence(
  db: TenantDb,
  organizationId: OrganizationId,
  chain: { id: string; projectId: string; createdAt: Date; alertIds: readonly string[] },
  session: { id: string; startedAt: Date | null },
  now: Date,
): Promise<SettlementFacts['evidence']> {
  const { projectId, createdAt, alertIds } = chain;
  const during = { from: createdAt, until: session.startedAt ?? now };
  const [inChain, watched, alerts] = await Promise.all([
    listFailedInChain(db, organizationId, chain.id, session.id),
    listFailedServices(db, organizationId, projectId, during),
    listProjectAlerts(db, projectId, alertIds),
  ]);
  const named = (list: typeof alerts) => list.flatMap(({ service }) => service ?? []);
  const firing = alerts.filter(({ status }) => status === 'firing');
  // An alert that names no service may be about anything, so it counts where it started the chain.
  const unnamed = alerts.filter(({ id, service }) => service === null && alertIds.includes(id));
  return {
    failedBefore: [...new Set([...inChain, ...watched])],
    alerts: {
      firing: named(firing),
      reported: named(alerts),
      isUnnamedFiring: unnamed.some(({ status }) => status === 'firing'),
      isUnnamedReported: unnamed.length > 0,
    },
  };
}
