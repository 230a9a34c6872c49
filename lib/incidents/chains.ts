/** Chains that look at incidents: their starts and their ends. */

import { getChainRow } from '@/lib/engine/chains/chain-rows';
import { startChain } from '@/lib/engine/chains/start-chain';
import { scopeOfSystem } from '@/lib/identity/tenancy/make-scope';
import type { TenantScope } from '@/lib/platform/db/scope';
import { inTransaction, type TenantDb } from '@/lib/platform/db/tenant-db';
import { ConflictError, PreconditionFailedError } from '@/lib/platform/errors';
import { enqueueAll, type PendingJob } from '@/lib/platform/queue/enqueue';
import { getConfig, getProjectRow } from '@/lib/projects/project-rows';
import { listAlertIds } from './alert-data';
import {
  findIncident,
  findStartedChain,
  linkChain,
  listActive,
  listOfChain,
  lockIncidents,
} from './data';
import type { IncidentEvent } from './incident';
import { decideLook } from './look';
import { isLookHeld } from './muting';
import { recordEvent } from './record-events';

const ACTOR = 'Incidents';

/** Takes the end of a chain into the incidents that it is about. @returns jobs to enqueue after the commit */
export async function recordChainEnd(
  db: TenantDb,
  scope: TenantScope,
  chainId: string,
  now: Date,
): Promise<PendingJob[]> {
  const chain = await getChainRow(db, chainId);
  const { projectId, servicesAffected, outcome, statusText } = chain;
  await lockIncidents(db, scope.organizationId, projectId);
  const own = await listOfChain(db, chainId);
  const known = new Set(own.map(({ id }) => id));
  // One that started on schedule may have looked at the same services.
  const joined = (await listActive(db, projectId)).filter(
    ({ id, services }) =>
      !known.has(id) && services.some(({ name }) => servicesAffected.includes(name)),
  );
  const project = await getProjectRow(db, projectId);
  const config = await getConfig(db, projectId, project.currentVersion);
  const jobs: PendingJob[] = [];
  for (const incident of [...own, ...joined]) {
    if (incident.state === 'resolved') continue;
    if (!known.has(incident.id)) {
      await linkChain(db, scope.organizationId, { incidentId: incident.id, chainId, at: now });
    }
    const event = {
      kind: 'chain_ended',
      chainId,
      outcome: outcome ?? 'stopped',
      text: statusText,
    } as const;
    jobs.push(...(await recordEvent(db, scope, incident, event, config, now)));
  }
  return jobs;
}

/**
 * Starts a chain that looks at an incident. While another one of the project runs, nothing happens: it is
 * due until one could be started. Where the settings don't let the agent look, people have to.
 */
export async function startLook(
  { id, organizationId, projectId }: { id: string; organizationId: string; projectId: string },
  now: Date,
): Promise<void> {
  const scope = scopeOfSystem(organizationId, ACTOR);
  const { incident, config, started, isHeld, alertIds } = await inTransaction(scope, async (db) => {
    const found = await findIncident(db, id);
    const project = await getProjectRow(db, projectId);
    const due = found?.lookDueAt ?? null;
    const config = await getConfig(db, projectId, project.currentVersion);
    return {
      incident: found,
      config,
      alertIds: found?.alerts ? await listAlertIds(db, id) : [],
      isHeld: found !== null && (await isLookHeld(db, found, config, now)),
      started: due && (await findStartedChain(db, id, due)),
    };
  });
  if (!incident?.lookDueAt || incident.lookDueAt > now || incident.state === 'resolved') return;
  if (started) {
    // A process that died between the start and what follows has started it.
    await record(scope, id, projectId, { kind: 'chain_started', chainId: started }, now);
    return;
  }
  if (isHeld) return;
  const look = decideLook(incident, config.startOn);
  if (look.trigger === null) {
    await record(scope, id, projectId, { kind: 'look_refused', text: look.text }, now);
    return;
  }
  try {
    const { chainId } = await startChain(
      scope,
      {
        ...{ projectId, ...look, alertIds },
        onCreated: (db, chainId) =>
          linkChain(db, scope.organizationId, { incidentId: id, chainId, at: now }),
      },
      now,
    );
    await record(scope, id, projectId, { kind: 'chain_started', chainId }, now);
  } catch (error) {
    // It is due until that chain has ended.
    if (error instanceof ConflictError) return;
    if (!(error instanceof PreconditionFailedError)) throw error;
    await record(scope, id, projectId, { kind: 'look_refused', text: error.message }, now);
  }
}

/** In a transaction of its own: a start of a chain locks its project, and incidents are locked before that. */
async function record(
  scope: TenantScope,
  id: string,
  projectId: string,
  event: IncidentEvent,
  now: Date,
): Promise<void> {
  const jobs = await inTransaction(scope, async (db) => {
    await lockIncidents(db, scope.organizationId, projectId);
    const incident = await findIncident(db, id);
    if (!incident?.lookDueAt) return [];
    const project = await getProjectRow(db, projectId);
    const config = await getConfig(db, projectId, project.currentVersion);
    return recordEvent(db, scope, incident, event, config, now);
  });
  await enqueueAll(jobs);
}
