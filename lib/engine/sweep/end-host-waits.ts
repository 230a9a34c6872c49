/** Tiers that no host may start in time: their chains end, and need a human. */

import { scopeOfSystem } from '@/lib/identity/tenancy/make-scope';
import { forEachRowIsolated } from '@/lib/platform/db/batches';
import type { TenantScope } from '@/lib/platform/db/scope';
import { inTransaction, type TenantDb } from '@/lib/platform/db/tenant-db';
import { enqueueAll, type PendingJob } from '@/lib/platform/queue/enqueue';
import { getConfig } from '@/lib/projects/project-rows';
import { namesOfServices } from '@/lib/projects/service-names';
import { lockAttempt } from '../attempt/data';
import { endUnstartedSession } from '../chains/end-chain';
import { readHandoff } from '../continuation/handoff/sanitize';
import { listPoolHosts } from '../hosts/data';
import { isAble, isFit, type PoolHost } from '../hosts/pool-hosts';
import { type GateCode, refusalText } from '../start-policy/gate';
import {
  canaryGate,
  hostDueAt,
  ISOLATION_WAIT_MINUTES,
  PROOF_WAIT_MINUTES,
} from '../start-policy/host-gates';
import { type HostWait, isHostWait } from '../statuses';
import { listOverdueHostWaits } from './data';

/**
 * Ends chains that have waited too long for a runner that can confine agents, or whose agent passes its
 * canary. While they wait, they keep their projects from starting other chains.
 *
 * @returns how many attempts were evaluated
 */
export async function endHostWaits(now = new Date()): Promise<number> {
  const overdue = await listOverdueHostWaits(now);
  return forEachRowIsolated('host waits', overdue, async ({ organizationId, id }) => {
    const scope = scopeOfSystem(organizationId, 'Host waits');
    await enqueueAll(await inTransaction(scope, (db) => endOne(db, scope, id, now)));
  });
}

async function endOne(
  db: TenantDb,
  scope: TenantScope,
  attemptId: string,
  now: Date,
): Promise<PendingJob[]> {
  const attempt = await lockAttempt(db, attemptId);
  if (attempt?.status !== 'queued' || !attempt.proofDueAt || attempt.proofDueAt > now) return [];
  const session = await db.session.findFirstOrThrow({ where: { id: attempt.sessionId } });
  const { id, tier, chainId, projectId, waitReason } = session;
  if (!isHostWait(waitReason) || chainId === null) return [];
  const hosts = await listPoolHosts(db, attemptId, now);
  if (waitReason === 'canary' && hosts.some(isAble)) {
    // One that has passed has no free slot yet, or has left the start to the conversation's own host.
    const data = { proofDueAt: hostDueAt(waitReason, now), requiredRunnerId: null };
    await db.attempt.updateMany({ where: { id: attemptId }, data });
    return [];
  }
  const { reason, why } = ENDS[waitReason];
  return endUnstartedSession(
    db,
    scope,
    {
      attemptId,
      session: { id },
      chain: { id: chainId, projectId },
      reason,
      sentence: `Tier ${tier} was not started: ${why(hosts)}`,
      end: 'start_failed',
      outcome: 'needs_human',
      level: 'critical',
      services: await affectedServices(db, session),
    },
    now,
  );
}

const ENDS: Record<HostWait, { reason: GateCode; why(hosts: readonly PoolHost[]): string }> = {
  canary: {
    reason: 'CANARY_FAILED',
    why: (hosts) =>
      `within ${PROOF_WAIT_MINUTES} minutes no runner proved that its agent refuses forbidden commands. ${remedyOfCanary(hosts)}`,
  },
  isolation: {
    reason: 'NOT_CONFINED',
    why: (hosts) =>
      `this project is confined, and within ${ISOLATION_WAIT_MINUTES} minutes no runner that can confine agents claimed it. ${remedyOfIsolation(hosts)}`,
  },
};

/** Returns the services that the tier before it handed on; none for the first one. */
async function affectedServices(
  db: TenantDb,
  session: { projectId: string; projectVersion: number; parentSessionId: string | null },
): Promise<string[]> {
  const { projectId, projectVersion, parentSessionId } = session;
  if (parentSessionId === null) return [];
  const handoff = await db.handoff.findFirst({ where: { sessionId: parentSessionId } });
  if (!handoff) return [];
  const { services } = await getConfig(db, projectId, projectVersion);
  return readHandoff(handoff.payload, namesOfServices(services)).services_affected;
}

function remedyOfCanary(hosts: readonly PoolHost[]): string {
  // A canary alone keeps it from the start.
  const present = hosts.filter((host) => host.unproven && isFit({ ...host, unproven: null }));
  const gate = canaryGate({ unproven: present[0]?.unproven ?? null });
  return gate === null ? 'Connect a runner to its pool.' : refusalText(gate);
}

function remedyOfIsolation(hosts: readonly PoolHost[]): string {
  const names = hosts.filter(isFit).map(({ name }) => name);
  if (names.length === 0) return 'Connect one to its pool.';
  return `Runner ${names.join(' or ')} is online and can: check its free slots and its log, or connect another one.`;
}
