/** Stores what happens to incidents, and tells others. Everything is inside of the caller's transaction. */
import { holdServices } from '@/lib/engine/attempt/hold-rows';
import type { ServiceChange } from '@/lib/monitoring/domain-events';
import type { TenantScope } from '@/lib/platform/db/scope';
import type { TenantDb } from '@/lib/platform/db/tenant-db';
import { publish } from '@/lib/platform/domain-events';
import type { PendingJob } from '@/lib/platform/queue/enqueue';
import { getConfig, getProjectRow } from '@/lib/projects/project-rows';
import type { ProjectConfig } from '@/lib/projects/schema';
import { serviceIdsOf } from './alerts-of-incident';
import { applyEvent, heldServices, openIncident } from './apply-event';
import { chooseIncident } from './choose-incident';
import {
  findIncident,
  holdNotices,
  insertIncident,
  listActive,
  listEarlier,
  listServicesOfUnsettled,
  listUnsettled,
  lockIncidents,
  markAnnounced,
  markNeedAnnounced,
  nextNumber,
  type StoredIncident,
  updateIncident,
} from './data';
import { incidentChanged } from './domain-events';
import { dueAtOf } from './due';
import { dependOnMuting, tellOrHold } from './held-notices';
import {
  eventOfChange,
  type IncidentEvent,
  type IncidentNotice,
  presentServices,
} from './incident';
import { isMuted } from './muting';
import { isActive } from './transitions';
import { verifyMsOf } from './verification';

type Failing = Extract<IncidentEvent, { kind: 'service_failing' }>;

/** Takes changed services into the incidents of their project. @returns jobs to enqueue after the commit */
export async function recordServiceChanges(
  db: TenantDb,
  scope: TenantScope,
  projectId: string,
  changes: readonly ServiceChange[],
  now: Date,
): Promise<PendingJob[]> {
  await lockIncidents(db, scope.organizationId, projectId);
  const project = await getProjectRow(db, projectId);
  const config = await getConfig(db, projectId, project.currentVersion);
  const jobs: PendingJob[] = [];
  for (const change of changes) {
    const event = eventOfChange(change, now);
    if (event.kind !== 'service_failing') {
      for (const incident of await listUnsettled(db, change.serviceId)) {
        jobs.push(...(await recordEvent(db, scope, incident, event, config, now)));
      }
      continue;
    }
    const active = await listActive(db, projectId);
    const { joined, earlierId } = await chooseForFailure(db, active, event, config, now);
    jobs.push(
      ...(joined
        ? await recordEvent(db, scope, joined, event, config, now)
        : await open(db, scope, projectId, event, earlierId, config, now)),
    );
  }
  return jobs;
}

/**
 * Returns the incident that a failing service joins; none if it opens one.
 *
 * @param active the incidents of its project that it may join, newest first
 */
export async function chooseForFailure(
  db: TenantDb,
  active: readonly StoredIncident[],
  event: Failing,
  config: Pick<ProjectConfig, 'incidents'>,
  now: Date,
): Promise<{ joined: StoredIncident | undefined; earlierId: string | null }> {
  const incidents = [...active, ...(await listEarlier(db, event.serviceId))];
  const candidates = incidents.map((incident) => ({
    ...incident,
    serviceIds: serviceIdsOf(incident),
    failingIds: presentServices(incident).flatMap((each) =>
      each.wasFailing ? each.serviceId : [],
    ),
    degradedIds: presentServices(incident).flatMap((each) =>
      each.worst === 'degraded' ? each.serviceId : [],
    ),
  }));
  const { serviceId, status } = event;
  const failure = { serviceId, status, failingSince: new Date(event.failingSince) };
  const choice = chooseIncident(candidates, failure, now, config.incidents);
  if (choice.kind === 'open') return { joined: undefined, earlierId: choice.earlierId };
  return { joined: incidents.find(({ id }) => id === choice.id), earlierId: null };
}

/**
 * Takes services that nothing checks from now on out of the incidents of their project.
 *
 * @param serviceIds UUIDs
 * @returns jobs to enqueue after the commit
 */
export async function recordRemovals(
  db: TenantDb,
  scope: TenantScope,
  { projectId, serviceIds }: { projectId: string; serviceIds: readonly string[] },
  now: Date,
): Promise<PendingJob[]> {
  await lockIncidents(db, scope.organizationId, projectId);
  const project = await getProjectRow(db, projectId);
  const config = await getConfig(db, projectId, project.currentVersion);
  const jobs: PendingJob[] = [];
  for (const serviceId of await listServicesOfUnsettled(db, serviceIds)) {
    for (const incident of await listUnsettled(db, serviceId)) {
      const event = { kind: 'service_removed', serviceId } as const;
      jobs.push(...(await recordEvent(db, scope, incident, event, config, now)));
    }
  }
  return jobs;
}

async function open(
  db: TenantDb,
  scope: TenantScope,
  projectId: string,
  event: Failing,
  earlierId: string | null,
  config: Pick<ProjectConfig, 'maintenance'>,
  now: Date,
): Promise<PendingJob[]> {
  const { incident } = openIncident('check', event, now);
  const number = await nextNumber(db, projectId);
  const stored = { ...incident, projectId, number, earlierId };
  const id = await insertIncident(db, scope.organizationId, stored, event, now);
  return announceOpening(db, scope, id, config, now);
}

/**
 * Stores an event of an incident with what follows from it. The project's incidents have to be locked.
 *
 * @returns jobs to enqueue after the commit
 */
export async function recordEvent(
  db: TenantDb,
  scope: TenantScope,
  before: StoredIncident,
  event: IncidentEvent,
  config: Pick<ProjectConfig, 'incidents' | 'maintenance'>,
  now: Date,
): Promise<PendingJob[]> {
  const { incident, notices } = applyEvent(before, event, now);
  const { id, number, projectId, announcedAt } = before;
  const sequence = before.sequence + 1;
  const isMutedNow =
    announcedAt !== null &&
    dependOnMuting(before.heldNotices, notices) &&
    (await isMuted(db, incident, config, now));
  const { tell: told, held } = tellOrHold(before.heldNotices, incident, notices, isMutedNow);
  const waiting = { ...incident, announcedAt, heldNotices: held };
  const dueAt = dueAtOf(waiting, verifyMsOf(incident, config.incidents));
  await updateIncident(db, scope.organizationId, { id, sequence, dueAt }, incident, event, now);
  if (before.acknowledgement || incident.acknowledgement) {
    const { by = '', endsAt = null } = incident.acknowledgement ?? {};
    const hold = { projectId, incidentNumber: number, heldBy: by, heldUntil: endsAt };
    await holdServices(db, scope.organizationId, hold, heldServices(incident));
  }
  // Who hasn't learned of the opening doesn't learn of anything that follows.
  if (before.announcedAt === null) return [];
  if (notices.includes('reopened') && isMutedNow) {
    await markAnnounced(db, id, null);
    return [];
  }
  await holdNotices(db, id, held);
  const isSilent = incident.silence !== null;
  const isNeedKnown = before.needAnnouncedAt !== null && !isReminder(event);
  return tell(db, scope, { incidentId: id, sequence, isSilent, isNeedKnown }, told, now);
}

/** Whether people were kept from acting, so that they are notified of what they knew before. */
function isReminder({ kind }: IncidentEvent): boolean {
  return kind === 'acknowledgement_ended' || kind === 'silence_ended';
}

/** Notifies people of what has waited until the incident isn't muted anymore. */
export async function tellHeldNotices(
  db: TenantDb,
  scope: TenantScope,
  incidentId: string,
  config: Pick<ProjectConfig, 'maintenance'>,
  now: Date,
): Promise<PendingJob[]> {
  const incident = await findIncident(db, incidentId);
  if (!incident || incident.heldNotices.length === 0) return [];
  if (await isMuted(db, incident, config, now)) return [];
  const { tell: told, held } = tellOrHold(incident.heldNotices, incident, [], false);
  await holdNotices(db, incidentId, held);
  const { sequence, silence, needAnnouncedAt } = incident;
  const about = { isSilent: silence !== null, isNeedKnown: needAnnouncedAt !== null };
  return tell(db, scope, { incidentId, sequence, ...about }, told, now);
}

/**
 * Tells of the opening, unless the incident is muted or silenced: then the sweep does once it isn't. Nobody learns of
 * one that is over by then.
 */
export async function announceOpening(
  db: TenantDb,
  scope: TenantScope,
  incidentId: string,
  config: Pick<ProjectConfig, 'maintenance'>,
  now: Date,
): Promise<PendingJob[]> {
  const incident = await findIncident(db, incidentId);
  if (!incident || !isActive(incident) || incident.silence) return [];
  if (await isMuted(db, incident, config, now)) return [];
  await markAnnounced(db, incidentId, now);
  const { needsHuman, sequence } = incident;
  const notices: IncidentNotice[] = needsHuman ? ['opened', 'needs_human'] : ['opened'];
  const about = { isSilent: false, isNeedKnown: false };
  return tell(db, scope, { incidentId, sequence, ...about }, notices, now);
}

async function tell(
  db: TenantDb,
  scope: TenantScope,
  about: { incidentId: string; sequence: number; isSilent: boolean; isNeedKnown: boolean },
  notices: readonly IncidentNotice[],
  now: Date,
): Promise<PendingJob[]> {
  const isNeedTold = notices.includes('needs_human');
  const isNeedKnown = about.isNeedKnown && !notices.includes('reopened');
  if (notices.includes('reopened') || (isNeedTold && !about.isSilent)) {
    await markNeedAnnounced(db, about.incidentId, isNeedTold ? now : null);
  }
  const jobs: PendingJob[] = [];
  for (const notice of notices) {
    const change = { ...about, notice, isNeedTold, isNeedKnown };
    jobs.push(...(await publish(db, scope, incidentChanged, change, now)));
  }
  return jobs;
}
