import { z } from 'zod';
import { parseEvent } from '@/lib/incidents/events/registry';
import type { ShownIncident } from '@/lib/incidents/incident-rows';
import {
  type IncidentDetail,
  type IncidentDto,
  type IncidentQuery,
  referenceOf,
  toIncidentDto,
} from '@/lib/incidents/view';
import type { TenantScope } from '@/lib/platform/db/scope';
import { inTransaction, type TenantDb } from '@/lib/platform/db/tenant-db';
import { NotFoundError } from '@/lib/platform/errors';
import {
  decodeCursor,
  pageOf,
  placeOf,
  type TwoWayEnds,
  type TwoWayQuery,
  twoWayPage,
} from '@/lib/platform/http/cursor';
import { encodeId, requireId } from '@/lib/platform/ids';
import { requireProject } from '@/lib/projects/manage-project';
import type { CallRow } from '../chains/data';
import { listWorkCalls } from '../chains/work-calls';
import { listSessionsOfChains } from '../sessions/data';
import { type IncidentAction, toActions } from './actions';
import {
  costsOfChains,
  findShownIncident,
  getOrganizationSlug,
  listShownIncidents,
  readEventWindow,
  readRelated,
} from './data';
import { leftOutEntry, timelineOf } from './evidence';
import {
  listApprovalFacts,
  listCommandRules,
  listMessageFacts,
  listUnreachedSteps,
} from './evidence-data';

/** An incident with what agents did in its chains. */
export interface IncidentRecord {
  incident: IncidentDetail;
  actions: IncidentAction[];
  /** Of the organization's pages: `/acme`. */
  organizationRoot: string;
}

/** Returns incidents, newest first. */
export function listIncidents(
  scope: TenantScope,
  { state, project, service, limit, cursor }: IncidentQuery,
): Promise<{ data: IncidentDto[]; nextCursor: string | null }> {
  const beforeId = decodeCursor(cursor, z.uuid());
  return inTransaction(scope, async (db) => {
    const projectId = project ? (await requireProject(db, project)).id : undefined;
    const filter = { state, projectId, service };
    const found = await listShownIncidents(db, filter, { beforeId, limit });
    const { rows, nextCursor } = pageOf(found, limit, (row) => row.id);
    return { data: await toDtos(db, rows), nextCursor };
  });
}

/**
 * Returns the incidents of one service: those that aren't resolved, then those opened since a time, each
 * newest first, and no more than `limit`.
 *
 * @param query the project's slug or id, and the service's name
 */
export function listServiceIncidents(
  scope: TenantScope,
  query: { project: string; service: string; since: Date; limit: number },
): Promise<IncidentDto[]> {
  const { project, service, since, limit } = query;
  return inTransaction(scope, async (db) => {
    const of = { projectId: (await requireProject(db, project)).id, service };
    const active = await listShownIncidents(db, { ...of, state: 'active' }, { limit });
    const resolved = await listShownIncidents(db, { ...of, state: 'resolved', since }, { limit });
    return toDtos(db, [...active.slice(0, limit), ...resolved].slice(0, limit));
  });
}

/** Returns a page of incidents, newest first, with cursors in both directions. */
export function browseIncidents(
  scope: TenantScope,
  query: Pick<IncidentQuery, 'state' | 'project' | 'service'> & TwoWayQuery,
): Promise<TwoWayEnds & { data: IncidentDto[] }> {
  const { state, project, service } = query;
  const place = placeOf('inc', query);
  return inTransaction(scope, async (db) => {
    const projectId = project ? (await requireProject(db, project)).id : undefined;
    const found = await listShownIncidents(db, { state, projectId, service }, place);
    const { rows, ...ends } = twoWayPage(found, query, ({ id }) => encodeId('inc', id));
    return { data: await toDtos(db, rows), ...ends };
  });
}

/** Which part of the timeline is read. */
interface TimelinePart {
  /** At most so many events. */
  take: number;
  /** Number of the last event; null: the newest one. */
  until: number | null;
}

/** What API and tools get at once. */
const NEWEST: TimelinePart = { take: 500, until: null };

/**
 * Returns one incident with what happened, by `inc_…`.
 *
 * @param until number of the last event of the timeline; without it, the newest one
 * @throws NotFoundError for one that isn't the organization's
 */
export async function getIncident(
  scope: TenantScope,
  incidentId: string,
  { until }: { until?: number | undefined } = {},
): Promise<IncidentDetail> {
  const id = requireId('inc', incidentId);
  return inTransaction(scope, async (db) => {
    const part = { ...NEWEST, until: until ?? null };
    return (await readIncident(db, { id }, part)).incident;
  });
}

/** The same with what was done in all of its chains, for a report. */
export function getIncidentRecord(
  scope: TenantScope,
  incidentId: string,
  part: TimelinePart,
): Promise<IncidentRecord> {
  const id = requireId('inc', incidentId);
  return inTransaction(scope, async (db) => {
    const { row, ...read } = await readIncident(db, { id }, part);
    const { calls, sessions, rules } = await readCalls(
      db,
      row.chains.map(({ id }) => id),
    );
    const projectRoot = `${read.organizationRoot}/projects/${row.project.slug}`;
    return { ...read, actions: toActions(calls, rules, sessions, projectRoot) };
  });
}

/** The same as `getIncident`, by a project's slug or id and the incident's number. */
export function getIncidentByNumber(
  scope: TenantScope,
  project: string,
  number: number,
  part: TimelinePart = NEWEST,
): Promise<IncidentDetail> {
  return inTransaction(scope, async (db) => {
    const { id: projectId } = await requireProject(db, project);
    return (await readIncident(db, { projectId, number }, part)).incident;
  });
}

async function readIncident(
  db: TenantDb,
  where: Parameters<typeof findShownIncident>[1],
  part: TimelinePart,
) {
  const row = await findShownIncident(db, where);
  if (!row) throw new NotFoundError();
  const [dto] = await toDtos(db, [row]);
  if (!dto) throw new NotFoundError();
  const { earlier, mergedFrom, removedIds } = await readRelated(db, row);
  const window = await readEventWindow(db, row.id, part);
  const events = window.events.map(({ sequence, at, event }) => ({
    ...{ sequence, at },
    event: parseEvent(event),
  }));
  const span = {
    from: window.earlier > 0 ? (events[0]?.at ?? null) : null,
    to: window.nextAt,
  };
  const ended = events.flatMap(({ event }) => (event.kind === 'chain_ended' ? event.chainId : []));
  const { calls, sessions } = await readCalls(db, [...new Set(ended)]);
  const chainOf = new Map(sessions.map((session) => [session.id, session.chainId]));
  const countOf = (rows: readonly CallRow[], chainId: string) =>
    rows.filter(({ sessionId }) => chainOf.get(sessionId) === chainId).length;
  const organizationRoot = `/${await getOrganizationSlug(db)}`;
  const chainIds = row.chains.map(({ id }) => id);
  const sequences = events.map(({ sequence }) => sequence);
  const { messages, leftOut } = await listMessageFacts(db, row.id, sequences, span);
  const timeline = timelineOf({
    organizationRoot,
    projectRoot: `${organizationRoot}/projects/${row.project.slug}`,
    incidentNumber: row.number,
    newestSequence: row.sequence,
    services: new Map(
      row.services.map(({ serviceId, name }) => [
        serviceId,
        { name, isRemoved: removedIds.includes(serviceId) },
      ]),
    ),
    chains: new Map(
      row.chains.map(({ id, number }) => [
        id,
        { number, changing: countOf(calls.changing, id), denied: countOf(calls.denied, id) },
      ]),
    ),
    events,
    approvals: await listApprovalFacts(db, chainIds, span),
    messages,
    unreached: await listUnreachedSteps(db, row.id, span),
  });
  const { earlier: earlierEvents, later } = window;
  const [first, last] = [sequences[0], sequences.at(-1)];
  const incident: IncidentDetail = {
    ...dto,
    earlier: earlier ? referenceOf(earlier) : null,
    mergedFrom: mergedFrom.map(referenceOf),
    timeline:
      leftOut > 0 ? [leftOutEntry(leftOut, timeline, organizationRoot), ...timeline] : timeline,
    earlierEvents,
    earlierUntil: first !== undefined && earlierEvents > 0 ? first - 1 : null,
    laterUntil: last !== undefined && later > 0 ? last + Math.min(later, part.take) : null,
  };
  return { row, incident, organizationRoot };
}

/** Returns what was called and denied in chains, with the rules that decided. */
async function readCalls(db: TenantDb, chainIds: readonly string[]) {
  const sessions = chainIds.length > 0 ? await listSessionsOfChains(db, chainIds) : [];
  const ids = sessions.map(({ id }) => id);
  if (ids.length === 0) return { sessions, calls: { changing: [], denied: [] }, rules: new Map() };
  const calls = await listWorkCalls(db, ids);
  return { sessions, calls, rules: await listCommandRules(db, ids) };
}

async function toDtos(db: TenantDb, incidents: readonly ShownIncident[]): Promise<IncidentDto[]> {
  const ids = incidents.flatMap(({ chains }) => chains.map(({ id }) => id));
  const costs = await costsOfChains(db, [...new Set(ids)]);
  return incidents.map((incident) => {
    const micros = incident.chains.reduce((sum, { id }) => sum + (costs.get(id) ?? 0), 0);
    return toIncidentDto(incident, micros);
  });
}
