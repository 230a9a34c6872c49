/**
 * Applies events to incidents in memory and stores them together: however many services change at once, that
 * takes a few statements. Everything is inside of the caller's transaction, in which the project's incidents are
 * locked.
 */

import { v7 as uuidv7 } from 'uuid';
import { holdServices } from '@/lib/engine/attempt/hold-rows';
import type { TenantScope } from '@/lib/platform/db/scope';
import type { TenantDb } from '@/lib/platform/db/tenant-db';
import { publish } from '@/lib/platform/domain-events';
import type { PendingJob } from '@/lib/platform/queue/enqueue';
import { getConfig, getProjectRow } from '@/lib/projects/project-rows';
import type { ProjectConfig } from '@/lib/projects/schema';
import { chooseIncident } from './choose-incident';
import {
  EARLIER_INCIDENTS,
  findIncident,
  listConcerned,
  lockIncidents,
  nextNumber,
  saveIncidents,
} from './data';
import { incidentChanged } from './domain-events';
import { dueAtOf } from './due';
import { applyEvent, type EventOf, type IncidentEvent, isReminder } from './events/registry';
import { dependOnMuting, sortNotices } from './held-notices';
import {
  type AffectedService,
  acknowledgementOf,
  factsOf,
  type Incident,
  isActive,
  presentServices,
} from './incident';
import { type IncidentRecord, recordOf, type StoredIncident } from './incident-rows';
import { isMuted } from './muting';
import { heldServices } from './signals-of-incident';
import type { IncidentNotice } from './states';
import { verifyMsOf } from './verification';

/** Where the incidents are. */
interface BatchPlace {
  db: TenantDb;
  scope: TenantScope;
  projectId: string;
  config: ProjectConfig;
  now: Date;
}

/** An incident with what isn't stored yet. */
interface Entry {
  incident: StoredIncident;
  /** Null: its row exists. */
  opening: { earlierId: string | null } | null;
  isChanged: boolean;
  changesHold: boolean;
  /** The services as they are stored. */
  stored: ReadonlySet<AffectedService>;
  events: { sequence: number; event: IncidentEvent }[];
}

/** Locks a project's incidents until the transaction ends. Returns a batch without any of them. */
export async function openBatch(
  db: TenantDb,
  scope: TenantScope,
  projectId: string,
  now: Date,
): Promise<IncidentBatch> {
  await lockIncidents(db, projectId);
  const { currentVersion } = await getProjectRow(db, projectId);
  const config = await getConfig(db, projectId, currentVersion);
  return new IncidentBatch({ db, scope, projectId, config, now });
}

export class IncidentBatch {
  readonly place: BatchPlace;
  readonly #entries = new Map<string, Entry>();
  readonly #jobs: PendingJob[] = [];

  constructor(place: BatchPlace) {
    this.place = place;
  }

  /** Adds incidents as they are stored by now, unless they are part of the batch. */
  add(incidents: readonly StoredIncident[]): void {
    for (const incident of incidents) {
      if (this.#entries.has(incident.id)) continue;
      this.#entries.set(incident.id, {
        ...{ incident, opening: null, isChanged: false, changesHold: false, events: [] },
        stored: new Set(incident.services),
      });
    }
  }

  /** Adds the incidents that changes of these services may be about. Ids are UUIDs. */
  async load(serviceIds: readonly string[]): Promise<void> {
    const { db, projectId } = this.place;
    this.add(await listConcerned(db, { projectId, serviceIds }));
  }

  /** Returns an incident as it is by now; null if there is none with this UUID. */
  async find(id: string): Promise<StoredIncident | null> {
    if (!this.#entries.has(id)) {
      const found = await findIncident(this.place.db, id);
      if (!found) return null;
      this.add([found]);
    }
    return this.#get(id).incident;
  }

  /** Returns the incidents as they are by now, newest first. */
  #list(): StoredIncident[] {
    const incidents = [...this.#entries.values()].map(({ incident }) => incident);
    return incidents.toSorted((one, other) => (one.id < other.id ? 1 : -1));
  }

  /** Returns those that aren't over, newest first. */
  active(): StoredIncident[] {
    return this.#list().filter(({ state }) => state !== 'resolved');
  }

  /**
   * Returns the incidents that a change of a service says something about: those that aren’t over, and those
   * that a person has ended before the service was healthy.
   */
  unsettled(serviceId: string): StoredIncident[] {
    return this.#list().filter((incident) =>
      presentServices(incident).some(
        (service) =>
          service.serviceId === serviceId &&
          (incident.state !== 'resolved' || service.status !== 'healthy'),
      ),
    );
  }

  /**
   * Returns the incident that a failing service joins; none if it opens one.
   *
   * @param active those that it may join, newest first
   */
  chooseForFailure(
    active: readonly StoredIncident[],
    { serviceId, status, failingSince }: EventOf<'service_failing'>,
  ): { joined: StoredIncident | undefined; earlierId: string | null } {
    const { config, now } = this.place;
    const incidents = [...active, ...this.#earlier(serviceId)];
    const failure = { serviceId, status, failingSince: new Date(failingSince) };
    const choice = chooseIncident(incidents, failure, now, config.incidents);
    if (choice.kind === 'open') return { joined: undefined, earlierId: choice.earlierId };
    return { joined: incidents.find(({ id }) => id === choice.id), earlierId: null };
  }

  /** Returns the newest resolved incidents that a service was part of. */
  #earlier(id: string): StoredIncident[] {
    return this.#list()
      .filter((incident) => {
        const isOver = incident.state === 'resolved' && incident.resolution !== 'merged';
        return isOver && incident.services.some(({ serviceId }) => serviceId === id);
      })
      .slice(0, EARLIER_INCIDENTS);
  }

  /** Adds an incident that an event has opened; it is due at once. Returns its UUID. */
  async open(incident: Incident, event: IncidentEvent, earlierId: string | null): Promise<string> {
    await this.flush();
    const { db, projectId } = this.place;
    const id = uuidv7();
    const number = await nextNumber(db, projectId);
    this.#entries.set(id, {
      incident: {
        ...incident,
        ...{ id, projectId, number, sequence: 1, dueAt: incident.openedAt },
        ...{ announcedAt: null, needAnnouncedAt: null, heldNotices: [] },
      },
      ...{ opening: { earlierId }, isChanged: true, changesHold: false },
      ...{ stored: new Set(), events: [{ sequence: 1, event }] },
    });
    return id;
  }

  /** Applies an event to an incident, and notifies others of what follows. */
  async record(id: string, event: IncidentEvent): Promise<void> {
    const { db, config, now } = this.place;
    const entry = this.#get(id);
    const before = entry.incident;
    const { incident, notices } = applyEvent(before, event, now);
    const isMutedNow =
      before.announcedAt !== null &&
      dependOnMuting(before.heldNotices, notices) &&
      (await isMuted(db, incident, config, now));
    const { due, held } = sortNotices(before.heldNotices, incident, notices, isMutedNow);
    const sequence = before.sequence + 1;
    const waiting = { ...incident, announcedAt: before.announcedAt, heldNotices: held };
    const dueAt = dueAtOf(waiting, verifyMsOf(incident, config.incidents));
    entry.changesHold ||= [before, incident].some((each) => acknowledgementOf(each) !== null);
    entry.events.push({ sequence, event });
    entry.incident = { ...incident, ...recordOf(before) };
    this.#change(entry, { sequence, dueAt });
    // Who hasn't learned of the opening doesn't learn of anything that follows.
    if (before.announcedAt === null) return;
    if (notices.includes('reopened') && isMutedNow) {
      this.#change(entry, { announcedAt: null, needAnnouncedAt: null, heldNotices: [] });
      return;
    }
    this.#change(entry, { heldNotices: held });
    await this.#notify(entry, due, before.needAnnouncedAt !== null && !isReminder(event));
  }

  /**
   * Tells of the opening, unless the incident is muted or silenced: then the sweep does once it isn't. Nobody
   * learns of one that is over by then.
   */
  async announceOpening(id: string): Promise<void> {
    const { db, config, now } = this.place;
    const entry = this.#get(id);
    const { incident } = entry;
    if (!isActive(incident) || incident.silence) return;
    if (await isMuted(db, incident, config, now)) return;
    this.#change(entry, { announcedAt: now, needAnnouncedAt: null, heldNotices: [] });
    await this.#notify(entry, incident.needsHuman ? ['opened', 'needs_human'] : ['opened'], false);
  }

  /** Notifies people of what has waited until the incident isn't muted anymore. */
  async sendHeldNotices(id: string): Promise<void> {
    const { db, config, now } = this.place;
    const entry = this.#get(id);
    const { incident } = entry;
    if (incident.heldNotices.length === 0 || (await isMuted(db, incident, config, now))) return;
    const { due, held } = sortNotices(incident.heldNotices, incident, [], false);
    this.#change(entry, { heldNotices: held });
    await this.#notify(entry, due, incident.needAnnouncedAt !== null);
  }

  async #notify(entry: Entry, notices: readonly IncidentNotice[], wasNeedKnown: boolean) {
    if (notices.length === 0) return;
    const { db, scope, now } = this.place;
    const isReopened = notices.includes('reopened');
    const isNeedAnnounced = notices.includes('needs_human');
    const isSilent = factsOf(entry.incident).silence !== null;
    if (isReopened || (isNeedAnnounced && !isSilent)) {
      this.#change(entry, { needAnnouncedAt: isNeedAnnounced ? now : null });
    }
    // Whoever is notified reads the incident as it is now.
    await this.flush();
    const { id: incidentId, sequence } = entry.incident;
    const isNeedKnown = wasNeedKnown && !isReopened;
    for (const notice of notices) {
      const change = { incidentId, sequence, notice, isSilent, isNeedAnnounced, isNeedKnown };
      this.#jobs.push(...(await publish(db, scope, incidentChanged, change, now)));
    }
  }

  #get(id: string): Entry {
    const entry = this.#entries.get(id);
    if (!entry) throw new Error(`Incident ${id} is not part of this batch.`);
    return entry;
  }

  #change(entry: Entry, change: Partial<IncidentRecord>): void {
    entry.incident = { ...entry.incident, ...change };
    entry.isChanged = true;
  }

  /** Changes what follows from no event. */
  update(id: string, change: Partial<Pick<IncidentRecord, 'dueAt' | 'needAnnouncedAt'>>): void {
    this.#change(this.#get(id), change);
  }

  /** Stores what has changed so far. */
  async flush(): Promise<void> {
    const { db, now } = this.place;
    const changed = [...this.#entries.values()].filter(({ isChanged }) => isChanged);
    if (changed.length === 0) return;
    const rows = changed.map(({ incident, opening, stored, events }) => ({
      ...{ incident, opening, events },
      services: incident.services.filter((service) => !stored.has(service)),
    }));
    await saveIncidents(db, rows, now);
    for (const entry of changed) {
      const { incident, changesHold } = entry;
      if (changesHold) {
        const { by = '', endsAt = null } = acknowledgementOf(incident) ?? {};
        const { projectId, number: incidentNumber } = incident;
        const hold = { projectId, incidentNumber, heldBy: by, heldUntil: endsAt };
        await holdServices(db, hold, heldServices(incident));
      }
      Object.assign(entry, { opening: null, isChanged: false, changesHold: false, events: [] });
      entry.stored = new Set(incident.services);
    }
  }

  /** Stores the rest. Returns jobs to enqueue after the commit. */
  async finish(): Promise<PendingJob[]> {
    await this.flush();
    return this.#jobs;
  }
}
