import type { TenantScope } from '@/lib/platform/db/scope';
import { inTransaction, type TenantDb } from '@/lib/platform/db/tenant-db';
import { writeCsv } from '@/lib/platform/format/csv';
import { requireProject } from '@/lib/projects/manage-project';
import { getEscalationTotals } from '../chains/compare-escalations';
import type { EscalationTotals } from '../chains/escalation-words';
import { type PlotRange, type PlotSpan, rangeThatFits } from './buckets';
import { countChains, countHops, findFirstChainAt, sumCosts } from './data';
import { allPlotsCsvRows, makeFrame, type PlotFrame, type PlotRequest, plotCsvRows } from './frame';
import { type CostPlot, costPlot } from './plots/cost';
import { type EscalationPlot, escalationPlot } from './plots/escalation';
import { type HopsPlot, hopsPlot } from './plots/hops';
import { type OutcomesPlot, outcomesPlot } from './plots/outcomes';

export interface ProjectPlots {
  frame: PlotFrame;
  outcomes: OutcomesPlot;
  escalation: EscalationPlot;
  cost: CostPlot;
  hops: HopsPlot;
}

export interface OrganizationPlots extends ProjectPlots {
  /** What resuming was worth at the escalations of the range. */
  escalations: EscalationTotals;
}

/**
 * Returns the range that the plots of an organization, or of a project (slug or id), start with: the
 * shortest that shows all of its chains, up to 7 days.
 */
export function findDefaultRange(
  scope: TenantScope,
  project: string | null,
  now = new Date(),
): Promise<PlotRange> {
  return inTransaction(scope, async (db) => {
    const projectId = project ? (await requireProject(db, project)).id : null;
    return rangeThatFits(await findFirstChainAt(db, projectId), now, '7d');
  });
}

/** Three queries. `project` is a slug or an id; its budget of a day is drawn where columns are days. */
export function getProjectPlots(
  scope: TenantScope,
  request: PlotRequest & { project: string; dayLimitMicros: number | null },
  now = new Date(),
): Promise<ProjectPlots> {
  return inTransaction(scope, async (db) => {
    const { id } = await requireProject(db, request.project);
    const frame = makeFrame(scope, request, id, now);
    return readProjectPlots(db, frame, frame.size === 'day' ? request.dayLimitMicros : null);
  });
}

/** A constant number of queries. `project` is a slug or an id, null for every project. */
export function getOrganizationPlots(
  scope: TenantScope,
  request: PlotRequest & { project: string | null },
  now = new Date(),
): Promise<OrganizationPlots> {
  return inTransaction(scope, async (db) => {
    const project = request.project ? await requireProject(db, request.project) : null;
    const frame = makeFrame(scope, request, project?.id ?? null, now);
    return {
      ...(await readProjectPlots(db, frame, null)),
      escalations: await getEscalationTotals(db, {
        from: frame.buckets[0]?.startAt ?? now,
        to: frame.buckets.at(-1)?.endAt ?? now,
        projectId: frame.projectId,
      }),
    };
  });
}

async function readProjectPlots(
  db: TenantDb,
  frame: PlotFrame,
  dayLimitMicros: number | null,
): Promise<ProjectPlots> {
  const chains = await countChains(db, frame);
  return {
    frame,
    outcomes: outcomesPlot(frame, chains),
    escalation: escalationPlot(frame, chains),
    cost: costPlot(frame, await sumCosts(db, frame), dayLimitMicros),
    hops: hopsPlot(frame, await countHops(db, frame)),
  };
}

const TITLES = {
  outcomes: 'Chains by outcome',
  escalation: 'Escalation rate',
  cost: 'Cost by tier',
  hops: 'Resume or handoff',
} as const;
export const PLOT_NAMES = Object.keys(TITLES) as (keyof typeof TITLES)[];

interface PlotFileRequest {
  range: PlotSpan;
  timeZone: string;
  /** Slug or id; the whole organization without it. */
  project?: string | undefined;
  /** All of them without it. */
  plot?: (typeof PLOT_NAMES)[number] | undefined;
}

/** The tables of the plots as CSV: what the page shows, in plain numbers. */
export async function writePlots(scope: TenantScope, request: PlotFileRequest): Promise<string> {
  const { range, timeZone, project = null, plot: wanted } = request;
  const plots = await getOrganizationPlots(scope, { range, timeZone, project });
  const tables = PLOT_NAMES.map((name) => ({
    name,
    title: TITLES[name],
    table: plots[name].table,
  }));
  const one = tables.find(({ name }) => name === wanted);
  return writeCsv(one ? plotCsvRows(one.table) : allPlotsCsvRows(tables));
}
