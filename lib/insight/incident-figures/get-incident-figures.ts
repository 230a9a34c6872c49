import type { TenantScope } from '@/lib/platform/db/scope';
import { inTransaction, type TenantDb } from '@/lib/platform/db/tenant-db';
import { InvalidError } from '@/lib/platform/errors';
import { requireProject } from '@/lib/projects/manage-project';
import { makeFrame, type PlotRequest } from '../analytics/frame';
import { listChainFacts, listIncidentFacts } from './data';
import { incidentFigures } from './figures';
import type { IncidentFigures, IncidentFiguresDto, IncidentFiguresQuery } from './schema';

/** More incidents than this are cut to the newest. */
const MAX_INCIDENTS = 2_000;

const DEFAULT_DAYS = 30;
const DAY_MS = 24 * 3_600_000;

export interface FiguresOfRange {
  figures: IncidentFigures;
  /** `the last 7 days` */
  rangeWords: string;
  /** Whether there are more incidents than the figures are made of. */
  isCut: boolean;
}

/**
 * Returns the figures of the incidents that were opened in the range of a page of plots.
 *
 * @param request `project` is a slug or an id, null for every project
 * @throws NotFoundError for a project that isn't the organization's
 */
export function getIncidentFigures(
  scope: TenantScope,
  request: PlotRequest & { project: string | null },
  now = new Date(),
): Promise<FiguresOfRange> {
  return inTransaction(scope, async (db) => {
    const projectId = request.project ? (await requireProject(db, request.project)).id : null;
    const { buckets, rangeWords } = makeFrame(scope, request, projectId, now);
    const from = buckets[0]?.startAt ?? now;
    const to = buckets.at(-1)?.endAt ?? now;
    return { ...(await read(db, { projectId, from, to }, now)), rangeWords };
  });
}

/**
 * Returns the same figures for the REST API: of the last 30 days, or of the span that the query names.
 *
 * @throws InvalidError for an empty span
 * @throws NotFoundError for a project that isn't the organization's
 */
export function getIncidentFiguresDto(
  scope: TenantScope,
  query: IncidentFiguresQuery,
  now = new Date(),
): Promise<IncidentFiguresDto> {
  const to = query.to ? new Date(query.to) : now;
  const from = query.from ? new Date(query.from) : new Date(to.getTime() - DEFAULT_DAYS * DAY_MS);
  if (from >= to) {
    throw new InvalidError('The span is empty: `from` has to be before `to`.', {
      from: 'has to be before `to`',
    });
  }
  return inTransaction(scope, async (db) => {
    const projectId = query.project ? (await requireProject(db, query.project)).id : null;
    const { figures, isCut } = await read(db, { projectId, from, to }, now);
    return { from: from.toISOString(), to: to.toISOString(), isCut, ...figures };
  });
}

async function read(
  db: TenantDb,
  span: { projectId: string | null; from: Date; to: Date },
  now: Date,
): Promise<{ figures: IncidentFigures; isCut: boolean }> {
  const found = await listIncidentFacts(db, span, MAX_INCIDENTS + 1);
  const incidents = found.slice(0, MAX_INCIDENTS);
  const chainIds = [...new Set(incidents.flatMap((incident) => incident.chainIds))];
  const chains = await listChainFacts(db, chainIds);
  return {
    figures: incidentFigures(incidents, chains, now),
    isCut: found.length > MAX_INCIDENTS,
  };
}
