import type { TenantScope } from '@/lib/platform/db/scope';
import { writeCsv } from '@/lib/platform/format/csv';
import type { PlotSpan } from '../buckets';
import { allPlotsCsvRows, plotCsvRows } from '../csv';
import { getOrganizationPlots, getProjectPlots } from './get-plots';

const TITLES = {
  outcomes: 'Chains by outcome',
  escalation: 'Escalation rate',
  fixes: 'Confirmed fixes',
  recovery: 'Time to recovery',
  cost: 'Cost by tier',
  hops: 'Resume or handoff',
  wait: 'Queue wait',
  slots: 'Runner use',
} as const;
export const PLOT_NAMES = Object.keys(TITLES) as (keyof typeof TITLES)[];

interface PlotFileRequest {
  range: PlotSpan;
  timeZone: string;
  /** Slug or id; the whole organization without it. */
  project?: string | undefined;
  pool?: string | undefined;
  /** All of them without it. */
  plot?: (typeof PLOT_NAMES)[number] | undefined;
}

/** The tables of the plots as CSV: what the page shows, in plain numbers. */
export async function writePlots(scope: TenantScope, request: PlotFileRequest): Promise<string> {
  const { range, timeZone, project, plot: wanted, pool = null } = request;
  const plots = project
    ? await getProjectPlots(scope, { range, timeZone, project, dayLimitMicros: null })
    : await getOrganizationPlots(scope, { range, timeZone, pool });
  const tables = PLOT_NAMES.flatMap((name) => {
    const plot = name in plots ? plots[name as keyof typeof plots] : null;
    return plot && 'table' in plot ? [{ name, title: TITLES[name], table: plot.table }] : [];
  });
  const one = tables.find(({ name }) => name === wanted);
  return writeCsv(one ? plotCsvRows(one.table) : allPlotsCsvRows(tables));
}
