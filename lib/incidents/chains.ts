/** Chains that look at incidents: their starts and their ends. */

import { getChainRow } from '@/lib/engine/chains/chain-rows';
import { startChain } from '@/lib/engine/chains/start-chain';
import { StartRefusedError } from '@/lib/engine/start-policy/gate';
import { chainOutcomeSchema } from '@/lib/engine/statuses';
import { scopeOfSystem } from '@/lib/identity/tenancy/make-scope';
import { longestInterval } from '@/lib/monitoring/checker-rows';
import type { TenantScope } from '@/lib/platform/db/scope';
import { inTransaction, type TenantDb } from '@/lib/platform/db/tenant-db';
import { ConflictError } from '@/lib/platform/errors';
import { enqueueAll, type PendingJob } from '@/lib/platform/queue/enqueue';
import { getConfig, getProjectRow } from '@/lib/projects/project-rows';
import { findIncident, linkChain, listActive, listOfChain } from './data';
import type { EventOf, IncidentEvent } from './events/registry';
import { listFoundHealthy, listObservations } from './finding-data';
import { findingsOf } from './findings';
import { lookOf, needOf, presentServices } from './incident';
import { type IncidentBatch, openBatch } from './incident-batch';
import type { StoredIncident } from './incident-rows';
import { decideLook } from './look';
import { isLookHeld } from './muting';
import { recordFindings } from './record-findings';
import { listSignalIds } from './signal-data';
import {
  anySignalFires,
  serviceIdsOf,
  serviceNamesOf,
  waitsForSignals,
} from './signals-of-incident';
import { recheckMsOf } from './verification';

const ACTOR = 'Incidents';

/** Takes the end of a chain into the incidents that it is about. @returns jobs to enqueue after the commit */
export async function recordChainEnd(
  db: TenantDb,
  scope: TenantScope,
  chainId: string,
  now: Date,
): Promise<PendingJob[]> {
  const chain = await getChainRow(db, chainId);
  const { projectId, servicesAffected, outcome, statusText, createdAt } = chain;
  const batch = await openBatch(db, scope, projectId, now);
  const own = await listOfChain(db, chainId);
  const known = new Set(own.map(({ id }) => id));
  // One that started on schedule may have looked at the same services.
  const joined = (await listActive(db, projectId)).filter(
    (incident) =>
      !known.has(incident.id) &&
      serviceNamesOf(incident).some((name) => servicesAffected.includes(name)),
  );
  const findings = findingsOf(
    { chainId, outcome: chainOutcomeSchema.nullable().parse(outcome) },
    await listObservations(db, { projectId, chainId }, now),
  );
  // First, so that the end of a chain that found a service healthy calls nobody for it.
  const { incidentIds, openedIds } = await recordFindings(batch, findings);
  batch.add([...own, ...joined]);
  for (const { id } of [...own, ...joined]) incidentIds.add(id);
  for (const id of incidentIds) {
    const incident = await batch.find(id);
    if (!incident || incident.state === 'resolved') continue;
    if (!known.has(id)) {
      await linkChain(db, { incidentId: id, chainId, at: now });
    }
    const event: IncidentEvent = {
      kind: 'chain_ended',
      chainId,
      outcome: outcome ?? 'stopped',
      text: statusText,
      startedAt: createdAt.toISOString(),
      recheckMs: await recheckMs(db, incident, batch.place.config.monitoring.failures),
      isCovered: await isCovered(db, incident, chainId),
    };
    await batch.record(id, event);
  }
  for (const id of openedIds) await batch.announceOpening(id);
  return batch.finish();
}

/** A source reports the end only after its own rule and grouping intervals. */
const SIGNAL_RECHECK_MS = 900_000;

/** By the longest interval of the checks that have to notice a fix, and the alerts that it waits for. */
async function recheckMs(
  db: TenantDb,
  incident: StoredIncident,
  failures: number,
): Promise<number | null> {
  const serviceIds = serviceIdsOf({ ...incident, services: presentServices(incident) });
  const everySeconds = await longestInterval(db, serviceIds);
  // Only another chain will say more.
  if (everySeconds === null && incident.alerts === null) return null;
  const checksMs = recheckMsOf(everySeconds, failures);
  return waitsForSignals(incident) ? Math.max(checksMs, SIGNAL_RECHECK_MS) : checksMs;
}

/** Whether the look that is due would only repeat what the chain has just found: everything that fails is well. */
async function isCovered(
  db: TenantDb,
  incident: StoredIncident,
  chainId: string,
): Promise<boolean> {
  const lookDueAt = lookOf(incident);
  if (lookDueAt === null || anySignalFires(incident)) return false;
  const failing = presentServices(incident).filter(({ status }) => status !== 'healthy');
  if (failing.length === 0) return false;
  const well = await listFoundHealthy(db, chainId, lookDueAt);
  return failing.every(({ serviceId }) => well.includes(serviceId));
}

/** The incident has changed since it was listed: no look is due. */
class NotDueError extends Error {}

/** Whether the agent should look by now. While a person works on it, none does. */
function isLookDue(incident: StoredIncident, now: Date): boolean {
  const lookDueAt = lookOf(incident);
  return lookDueAt !== null && lookDueAt <= now;
}

/**
 * Starts a chain that looks at an incident. It stays due while another chain of the project runs, while the
 * failure is expected, and while the project is paused or its budget is used up. Where the settings don't let
 * the agent look, people have to.
 */
export async function startLook(
  { id, organizationId, projectId }: { id: string; organizationId: string; projectId: string },
  now: Date,
): Promise<void> {
  const scope = scopeOfSystem(organizationId, ACTOR);
  const refuse = (text: string, isRetried: boolean) =>
    recordRefusal(scope, { id, projectId }, { kind: 'look_refused', text, isRetried }, now);
  const { incident, config, isHeld, signalIds } = await inTransaction(scope, async (db) => {
    const incident = await findIncident(db, id);
    const project = await getProjectRow(db, projectId);
    const config = await getConfig(db, projectId, project.currentVersion);
    const isHeld = incident !== null && (await isLookHeld(db, incident, config, now));
    const signalIds = incident?.alerts ? await listSignalIds(db, id) : [];
    return { incident, config, isHeld, signalIds };
  });
  if (!incident || !isLookDue(incident, now) || isHeld) return;
  const services = presentServices(incident);
  const look = decideLook({ ...incident, services }, config.startOn);
  if (look.trigger === null) {
    await refuse(look.text, false);
    return;
  }
  let batch: IncidentBatch | null = null;
  try {
    await startChain(
      scope,
      {
        ...{ projectId, ...look, signalIds },
        async onBegin(db) {
          batch = await openBatch(db, scope, projectId, now);
          const found = await batch.find(id);
          if (!found || !isLookDue(found, now)) throw new NotDueError();
        },
        // With the chain or not at all: what it ends as comes after it.
        async onCreated(db, chainId) {
          await linkChain(db, { incidentId: id, chainId, at: now });
          await batch?.record(id, { kind: 'chain_started', chainId });
          await batch?.flush();
        },
      },
      now,
    );
  } catch (error) {
    if (error instanceof NotDueError) return;
    // It is due until that chain has ended.
    if (error instanceof ConflictError) return;
    if (!(error instanceof StartRefusedError)) throw error;
    await refuse(error.message, error.isPassing);
  }
}

/** A refusal that may pass is in the timeline once, and people are notified once. */
async function recordRefusal(
  scope: TenantScope,
  { id, projectId }: { id: string; projectId: string },
  event: EventOf<'look_refused'>,
  now: Date,
): Promise<void> {
  const jobs = await inTransaction(scope, async (db) => {
    const batch = await openBatch(db, scope, projectId, now);
    const incident = await batch.find(id);
    if (!incident || !isLookDue(incident, now)) return [];
    if (event.isRetried && needOf(incident)) return [];
    await batch.record(id, event);
    return batch.finish();
  });
  await enqueueAll(jobs);
}
