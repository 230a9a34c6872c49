import type { OrganizationId, TenantScope } from '@/lib/platform/db/scope';
import { inTransaction, type TenantDb } from '@/lib/platform/db/tenant-db';
import { basisOf } from '../schedule-cost/basis';
import { listTierOneCosts, listTierOneCostsByProject } from '../schedule-cost/data';
import { basisSince } from '../schedule-cost/get-basis';
import { listProjectDaySums } from './data';
import { type HealthyFigures, healthyFigures, type ProjectHealth, USUAL_SCHEDULE } from './healthy';
import {
  countChainsByHour,
  type HealthySpan,
  listCheckedProjects,
  listCheckSpans,
  listEarlierSchedules,
  listHourResults,
} from './healthy-data';

const HOUR_MS = 3_600_000;

/** At most so many hours of projects are read for the whole organization. */
const MAX_PROJECT_HOURS = 100_000;
const MAX_PROJECTS = 100;

/**
 * Returns what healthy days of a project cost, and the chains that its checks avoided. Five queries.
 *
 * @param input.projectId UUID
 * @param input.to what is after `now` is left out
 */
export function getHealthyFigures(
  scope: TenantScope,
  input: { projectId: string; from: Date; to: Date },
  now = new Date(),
): Promise<HealthyFigures> {
  const { projectId } = input;
  const span = spanOf(scope.organizationId, input, now);
  return inTransaction(scope, async (db) => {
    const [figures] = await readFigures(db, { ...span, projectIds: [projectId] });
    if (!figures) throw new Error('The project has no figures.');
    return figures;
  });
}

/**
 * Returns the same of every project whose checks run without an agent, each with what its chains cost. Eight queries,
 * whatever the number of projects; the longer the span, the fewer projects.
 *
 * @param input.to what is after `now` is left out
 * @returns `projects`: how many there are, with those that are left out
 */
export function getOrganizationHealth(
  scope: TenantScope,
  input: { from: Date; to: Date },
  now = new Date(),
): Promise<{ health: ProjectHealth[]; projects: number }> {
  const { organizationId } = scope;
  const span = spanOf(organizationId, input, now);
  const hours = Math.max(1, (span.to.getTime() - span.from.getTime()) / HOUR_MS);
  const take = Math.max(1, Math.min(MAX_PROJECTS, Math.floor(MAX_PROJECT_HOURS / hours)));
  return inTransaction(scope, async (db) => {
    const found = await listCheckedProjects(db, span, take);
    const projectIds = found.map(({ id }) => id);
    const figures = await readFigures(db, { ...span, projectIds });
    const since = basisSince(now);
    const ofProjects = await listTierOneCostsByProject(db, projectIds, since);
    const ofOrganization = await listTierOneCosts(db, null, since);
    return {
      projects: found[0]?.projects ?? 0,
      health: found.flatMap(({ id, slug, name, harness, model }, index) => {
        const own = figures[index];
        const costs = ofProjects.filter(({ projectId }) => projectId === id);
        const basis = basisOf({ harness, model }, costs, ofOrganization);
        return own ? [{ slug, name, figures: own, basis }] : [];
      }),
    };
  });
}

function spanOf(
  organizationId: OrganizationId,
  { from, to }: { from: Date; to: Date },
  now: Date,
): Omit<HealthySpan, 'projectIds'> {
  return { organizationId, from, to: to < now ? to : now };
}

/** Returns the figures of the projects, in their order. */
async function readFigures(db: TenantDb, span: HealthySpan): Promise<HealthyFigures[]> {
  const { from, to, projectIds } = span;
  if (projectIds.length === 0) return [];
  const checks = byProject(await listCheckSpans(db, span));
  const results = byProject(await listHourResults(db, span));
  const chains = byProject(await countChainsByHour(db, span));
  const days = byProject(await listProjectDaySums(db, span));
  const earlier = new Map(
    (await listEarlierSchedules(db, span)).map((reference) => [reference.projectId, reference]),
  );
  return projectIds.map((id) => {
    const reference = earlier.get(id);
    return healthyFigures({
      ...{ from, to, checks: checks.get(id) ?? [], results: results.get(id) ?? [] },
      chains: new Map((chains.get(id) ?? []).map((row) => [row.hour, row.chains])),
      dayMicros: new Map((days.get(id) ?? []).map(({ day, micros }) => [day, micros])),
      reference: reference
        ? { schedule: reference.schedule, version: reference.version }
        : { schedule: USUAL_SCHEDULE, version: null },
    });
  });
}

function byProject<Row extends { projectId: string }>(rows: readonly Row[]): Map<string, Row[]> {
  const found = new Map<string, Row[]>();
  for (const row of rows) {
    const own = found.get(row.projectId);
    if (own) own.push(row);
    else found.set(row.projectId, [row]);
  }
  return found;
}
