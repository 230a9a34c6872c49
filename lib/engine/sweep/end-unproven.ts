/** Tiers for which no runner has passed a canary in time: their chains end, and need a human. */

import { scopeOfSystem } from '@/lib/identity/tenancy/make-scope';
import { forEachRowIsolated } from '@/lib/platform/db/batches';
import type { TenantScope } from '@/lib/platform/db/scope';
import { inTransaction, type TenantDb } from '@/lib/platform/db/tenant-db';
import { enqueueAll, type PendingJob } from '@/lib/platform/queue/enqueue';
import { lockAttempt } from '../attempt/data';
import { endUnstartedSession } from '../chains/end-chain';
import { handoffSchema } from '../continuation/handoff/schema';
import { refusalText } from '../start-policy/gate';
import { canaryGate, PROOF_WAIT_MINUTES, proofDueAt } from '../start-policy/host-gates';
import { listAbleRunners, listOverdueProofs, listUnproven } from './data';

/**
 * Ends chains that have waited too long for a canary. While they wait, they keep their projects from
 * starting other chains.
 *
 * @returns how many attempts were evaluated
 */
export async function endUnproven(now = new Date()): Promise<number> {
  const overdue = await listOverdueProofs(now);
  return forEachRowIsolated('canaries', overdue, async ({ organizationId, id }) => {
    const scope = scopeOfSystem(organizationId, 'Canaries');
    await enqueueAll(await inTransaction(scope, (db) => endOne(db, scope, id, now)));
  });
}

async function endOne(
  db: TenantDb,
  scope: TenantScope,
  attemptId: string,
  now: Date,
): Promise<PendingJob[]> {
  const attempt = await lockAttempt(db, scope.organizationId, attemptId);
  if (attempt?.status !== 'queued' || !attempt.proofDueAt || attempt.proofDueAt > now) return [];
  const session = await db.session.findFirstOrThrow({ where: { id: attempt.sessionId } });
  const { id, tier, chainId, projectId, parentSessionId } = session;
  if (session.waitReason !== 'canary' || chainId === null) return [];
  if ((await listAbleRunners(db, attemptId, now)).length > 0) {
    // One that has passed has no free slot yet, or has left the start to the conversation's own host.
    const data = { proofDueAt: proofDueAt(now), requiredRunnerId: null };
    await db.attempt.updateMany({ where: { id: attemptId }, data });
    return [];
  }
  const sentence = `Tier ${tier} was not started: within ${PROOF_WAIT_MINUTES} minutes no runner proved that its agent refuses forbidden commands.`;
  return endUnstartedSession(
    db,
    scope,
    {
      attemptId,
      session: { id },
      chain: { id: chainId, projectId },
      reason: 'CANARY_FAILED',
      sentence: `${sentence} ${await remedy(db, attemptId, now)}`,
      end: 'start_failed',
      outcome: 'needs_human',
      level: 'critical',
      services: await affectedServices(db, parentSessionId),
    },
    now,
  );
}

/** Returns what the tier before it handed on; nothing for the first one. */
async function affectedServices(db: TenantDb, parentSessionId: string | null): Promise<string[]> {
  if (parentSessionId === null) return [];
  const handoff = await db.handoff.findFirst({ where: { sessionId: parentSessionId } });
  return handoff ? handoffSchema.parse(handoff.payload).services_affected : [];
}

async function remedy(db: TenantDb, attemptId: string, now: Date): Promise<string> {
  const [unproven = null] = await listUnproven(db, attemptId, now);
  const gate = canaryGate({ unproven });
  return gate === null ? 'Connect a runner to its pool.' : refusalText(gate);
}
