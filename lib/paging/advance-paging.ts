/** Starts and ends paging with incidents, and sends the steps that are due. */

import { scopeOfSystem } from '@/lib/identity/tenancy/make-scope';
import { incidentChanged } from '@/lib/incidents/domain-events';
import { factsOf } from '@/lib/incidents/incident';
import { getShownIncident, type ShownIncident } from '@/lib/incidents/incident-rows';
import { isMuted } from '@/lib/incidents/muting';
import type { IncidentNotice } from '@/lib/incidents/states';
import { forEachRowIsolated } from '@/lib/platform/db/batches';
import { inTransaction, type TenantDb } from '@/lib/platform/db/tenant-db';
import { subscribe } from '@/lib/platform/domain-events';
import { enqueueMany } from '@/lib/platform/queue/enqueue';
import { deliverWebhookJob } from '@/lib/platform/queue/jobs';
import { getConfig, getProjectRow } from '@/lib/projects/project-rows';
import {
  endRun,
  findPolicyOfProject,
  lockRun,
  takeDueRuns,
  updateProgress,
  writeRun,
} from './data';
import { decideStep, joinProgress, type Need, nextStep } from './due-step';
import { countFailure } from './metrics';
import { sendStep } from './send-step';

const AT_ONCE = 500;
const ACTOR = 'Paging';

/** Every process that runs the engine calls this when it starts. */
export function subscribePaging(): void {
  subscribe(incidentChanged, 'paging', async (db, _scope, change, now) => {
    await followIncident(db, change, now);
    return [];
  });
}

/**
 * Starts paging for an incident that is announced, and ends it for one that is resolved. One that is merged hands its
 * progress on.
 */
export async function followIncident(
  db: TenantDb,
  change: { incidentId: string; notice: IncidentNotice; sequence: number },
  now: Date,
): Promise<void> {
  const { incidentId, notice, sequence } = change;
  if (notice === 'merged') await handOver(db, incidentId, now);
  if (notice === 'resolved' || notice === 'merged') return endRun(db, incidentId, now);
  if (notice !== 'opened' && notice !== 'reopened') return;
  const { projectId } = await getShownIncident(db, incidentId);
  const policy = await findPolicyOfProject(db, projectId);
  if (!policy) return endRun(db, incidentId, now);
  const started = {
    incidentId,
    run: sequence,
    policyName: policy.name,
    plan: policy.plan,
    at: now,
  };
  await writeRun(db, started);
}

async function handOver(db: TenantDb, incidentId: string, now: Date): Promise<void> {
  const { mergedIntoId } = factsOf(await getShownIncident(db, incidentId));
  const other = await lockRun(db, incidentId);
  const own = mergedIntoId && (await lockRun(db, mergedIntoId));
  if (!own || !other) return;
  // It is looked at once the incident has taken the other one in.
  const place = { nextAt: now, seenSequence: own.run };
  await updateProgress(db, mergedIntoId, joinProgress(own, other, now), place);
}

/**
 * Sends the steps that are due, in every organization. A step, its messages and what is next are written in
 * one transaction, so two workers or a crash never send a step twice. One that fails is put off, longer each time.
 *
 * @returns how many runs were looked at
 */
export async function advancePaging(now = new Date()): Promise<number> {
  const due = await takeDueRuns(now, AT_ONCE);
  return forEachRowIsolated('paging', due, async ({ id, organizationId: owner }) => {
    const scope = scopeOfSystem(owner, ACTOR);
    const { organizationId } = scope;
    const deliveryIds = await inTransaction(scope, (db) => advance(db, id, now)).catch(
      (error: unknown) => {
        countFailure();
        throw error;
      },
    );
    await enqueueMany(
      deliverWebhookJob,
      deliveryIds.map((deliveryId) => ({ organizationId, deliveryId })),
    );
  });
}

/** @returns ids of the new deliveries, to enqueue after the commit */
async function advance(db: TenantDb, incidentId: string, now: Date): Promise<string[]> {
  const run = await lockRun(db, incidentId);
  if (!run) return [];
  const incident = await getShownIncident(db, incidentId);
  const need = needOf(incident, now);
  const unmuted = decideStep(run, need, false, now);
  // Asked only when a step is due: it costs two queries.
  const isHeld = unmuted.kind === 'send' && (await isIncidentMuted(db, incident, now));
  const decision = isHeld ? decideStep(run, need, true, now) : unmuted;
  if (decision.kind === 'end') {
    await endRun(db, incidentId, now);
    return [];
  }
  const seenSequence = incident.sequence;
  if (decision.kind === 'wait') {
    const { progress, nextAt } = decision;
    await updateProgress(db, incidentId, progress, { nextAt, seenSequence });
    return [];
  }
  const sending = { incident, run, due: decision, now };
  const { lastNumber, deliveryIds } = await sendStep(db, sending);
  const progress = { ...decision.progress, lastNumber };
  const nextAt = nextStep(progress)?.at ?? null;
  await updateProgress(db, incidentId, progress, { nextAt, seenSequence });
  return deliveryIds;
}

function needOf(incident: ShownIncident, now: Date): Need {
  if (incident.state === 'resolved') return { kind: 'over' };
  // The end of the silence is a change, after which it is looked at again.
  if (incident.silence) return { kind: 'waiting', since: now };
  if (incident.state === 'open') return { kind: 'called' };
  const since =
    incident.state === 'verifying' ? incident.verifyingSince : incident.acknowledgement.at;
  return { kind: 'waiting', since };
}

async function isIncidentMuted(db: TenantDb, incident: ShownIncident, now: Date): Promise<boolean> {
  const { projectId } = incident;
  const { currentVersion } = await getProjectRow(db, projectId);
  const config = await getConfig(db, projectId, currentVersion);
  return isMuted(db, incident, config, now);
}
