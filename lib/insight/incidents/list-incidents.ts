import { z } from 'zod';
import type { IncidentEvent } from '@/lib/incidents/incident';
import type { TenantScope } from '@/lib/platform/db/scope';
import { inTransaction, type TenantDb } from '@/lib/platform/db/tenant-db';
import { NotFoundError } from '@/lib/platform/errors';
import { decodeCursor, pageOf, twoWayPage } from '@/lib/platform/http/cursor';
import { encodeId, requireId } from '@/lib/platform/ids';
import { requireProject } from '@/lib/projects/manage-project';
import type { CallRow } from '../chains/data';
import { listWorkCalls } from '../chains/work-calls';
import { costsOfSessions, listSessionsOfChains } from '../sessions/data';
import { type IncidentAction, toActions } from './actions';
import {
  countActive,
  findIncidentRow,
  getOrganizationSlug,
  listEvents,
  listIncidentRows,
  type ShownIncident,
} from './data';
import { timelineOf } from './evidence';
import {
  listApprovalFacts,
  listCommandRules,
  listMessageFacts,
  listUnreachedSteps,
} from './evidence-data';
import type { IncidentDetail, IncidentDto, IncidentQuery } from './schema';
import { referenceOf, toIncidentDto } from './to-dto';

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
    const place = { take: limit + 1, beforeId };
    const found = await listIncidentRows(db, { state, projectId, service }, place);
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
    const active = await listIncidentRows(db, { ...of, state: 'active' }, { take: limit });
    const resolved = await listIncidentRows(
      db,
      { ...of, state: 'resolved', since },
      { take: limit - active.length },
    );
    return toDtos(db, [...active, ...resolved]);
  });
}

interface BrowseQuery extends Pick<IncidentQuery, 'state' | 'project' | 'service'> {
  /** `inc_…`: the page starts below it, or ends above it. */
  before?: string | undefined;
  after?: string | undefined;
  limit: number;
}

interface IncidentPage {
  data: IncidentDto[];
  /** `inc_…`; null at that end. */
  newerThan: string | null;
  olderThan: string | null;
}

/** Returns a page of incidents, newest first, with cursors in both directions. */
export function browseIncidents(scope: TenantScope, query: BrowseQuery): Promise<IncidentPage> {
  const { state, project, service, before, after, limit } = query;
  const beforeId = before ? requireId('inc', before) : null;
  const afterId = after ? requireId('inc', after) : null;
  return inTransaction(scope, async (db) => {
    const projectId = project ? (await requireProject(db, project)).id : undefined;
    const place = { take: limit + 1, beforeId, afterId };
    const found = await listIncidentRows(db, { state, projectId, service }, place);
    const ordered = afterId ? found.toReversed() : found;
    const { rows, hasNewer, hasOlder } = twoWayPage(ordered, query);
    const [first, last] = [rows[0], rows.at(-1)];
    return {
      data: await toDtos(db, rows),
      newerThan: first && hasNewer ? encodeId('inc', first.id) : null,
      olderThan: last && hasOlder ? encodeId('inc', last.id) : null,
    };
  });
}

/**
 * Returns one incident with everything that happened, by `inc_…`.
 *
 * @throws NotFoundError for one that isn't the organization's
 */
export async function getIncident(scope: TenantScope, incidentId: string): Promise<IncidentDetail> {
  return (await getIncidentRecord(scope, incidentId)).incident;
}

/** The same with what was done, for a report. */
export function getIncidentRecord(scope: TenantScope, incidentId: string): Promise<IncidentRecord> {
  const id = requireId('inc', incidentId);
  return inTransaction(scope, (db) => recordOf(db, scope, { id }));
}

/** The same as `getIncident`, by a project's slug or id and the incident's number. */
export function getIncidentByNumber(
  scope: TenantScope,
  project: string,
  number: number,
): Promise<IncidentDetail> {
  return inTransaction(scope, async (db) => {
    const { id: projectId } = await requireProject(db, project);
    return (await recordOf(db, scope, { projectId, number })).incident;
  });
}

/** Returns how many incidents aren't resolved, and how many of them need a human whom nobody is. */
export function countActiveIncidents(
  scope: TenantScope,
): Promise<{ active: number; needHuman: number }> {
  return inTransaction(scope, countActive);
}

async function recordOf(
  db: TenantDb,
  scope: TenantScope,
  where: Parameters<typeof findIncidentRow>[1],
): Promise<IncidentRecord> {
  const row = await findIncidentRow(db, where);
  if (!row) throw new NotFoundError();
  const [dto] = await toDtos(db, [row]);
  if (!dto) throw new NotFoundError();
  const earlier = row.earlierId ? await findIncidentRow(db, { id: row.earlierId }) : null;
  const chainIds = row.chains.map(({ chain }) => chain.id);
  const sessions = chainIds.length > 0 ? await listSessionsOfChains(db, chainIds) : [];
  const calls = await listWorkCalls(
    db,
    scope.organizationId,
    sessions.map(({ id }) => id),
  );
  const rules = await listCommandRules(
    db,
    sessions.map(({ id }) => id),
  );
  const organizationRoot = `/${await getOrganizationSlug(db)}`;
  const projectRoot = `${organizationRoot}/projects/${row.project.slug}`;
  const events = await listEvents(db, row.id);
  const countOf = (rows: readonly CallRow[], chainId: string) => {
    const own = new Set(
      sessions.filter((session) => session.chainId === chainId).map(({ id }) => id),
    );
    return rows.filter(({ session_id }) => own.has(session_id)).length;
  };
  const timeline = timelineOf({
    ...{ organizationRoot, projectRoot, incidentNumber: row.number },
    services: new Map(
      row.services.map(({ serviceId, name, service }) => [
        serviceId,
        { name, isRemoved: service.removedAt !== null },
      ]),
    ),
    chains: new Map(
      row.chains.map(({ chain: { id, number } }) => [
        id,
        { number, changing: countOf(calls.changing, id), denied: countOf(calls.denied, id) },
      ]),
    ),
    events: events.map(({ sequence, at, event }) => ({
      ...{ sequence, at },
      event: event as unknown as IncidentEvent,
    })),
    approvals: await listApprovalFacts(db, chainIds),
    messages: await listMessageFacts(db, row),
    unreached: await listUnreachedSteps(db, row.id),
  });
  const incident: IncidentDetail = {
    ...dto,
    earlier: earlier && referenceOf(earlier),
    mergedFrom: row.mergedFrom.map(referenceOf),
    timeline,
  };
  return {
    ...{ incident, organizationRoot },
    actions: toActions(calls, rules, sessions, projectRoot),
  };
}

async function toDtos(db: TenantDb, rows: readonly ShownIncident[]): Promise<IncidentDto[]> {
  const chainIds = [...new Set(rows.flatMap(({ chains }) => chains.map(({ chain }) => chain.id)))];
  const sessions = chainIds.length > 0 ? await listSessionsOfChains(db, chainIds) : [];
  const costs = await costsOfSessions(
    db,
    sessions.map(({ id }) => id),
  );
  return rows.map((row) => {
    const own = new Set(row.chains.map(({ chain }) => chain.id));
    const micros = sessions.reduce(
      (sum, { id, chainId }) =>
        sum + (chainId && own.has(chainId) ? Number(costs.get(id)?.micros ?? 0) : 0),
      0,
    );
    return toIncidentDto(row, micros);
  });
}
