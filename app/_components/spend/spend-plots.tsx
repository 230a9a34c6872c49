import type { ProjectFacts } from '@/lib/insight/dashboard/schema';
import { getSpendPlots } from '@/lib/insight/spend/get-spend-plots';
import { type Budget, joinBudgets } from '@/lib/insight/spend/month';
import type { TenantScope } from '@/lib/platform/db/scope';
import { formatCost } from '@/lib/platform/format/cost';
import { PlotCard } from '../charts/plot-card';
import { spendView } from '../charts/views/cost-views';
import { Card } from '../ui/card';
import type { SpendView } from './spend-params';

export type BudgetedProject = Pick<
  ProjectFacts,
  'slug' | 'name' | 'dayLimitMicros' | 'monthLimitMicros'
>;

interface SpendPlotsProps {
  scope: TenantScope;
  /** Of the page: "/acme/spend". */
  path: string;
  /** Slug; null sums over every project. */
  project: string | null;
  projects: readonly BudgetedProject[];
  now: Date;
  view: SpendView;
  /** Slug of the project that the page of the organization is filtered by. */
  chosen: string | undefined;
}

/** The cost of the range by time and tier, and the month against its budget. */
export async function SpendPlots(props: SpendPlotsProps) {
  const { scope, path, project, projects, now, view, chosen } = props;
  const shown = project ?? chosen ?? null;
  const orgRoot = `/${scope.organizationSlug}`;
  const budgeted = projects.filter(({ slug }) => shown === null || slug === shown);
  const day = joinBudgets(
    budgeted.map((each) => each.dayLimitMicros),
    'daily',
  );
  const month = joinBudgets(
    budgeted.map((each) => each.monthLimitMicros),
    'monthly',
  );
  const plots = await getSpendPlots(
    scope,
    {
      ...view.query,
      spanWords: view.spanWords,
      dayLimitMicros: day.limitMicros,
      monthLimitMicros: month.limitMicros,
    },
    now,
  );
  const cost = spendView(
    {
      root: path.replace(/\/spend$/, ''),
      orgRoot,
      range: { from: view.query.from, to: view.query.to },
      timeZone: 'UTC',
      frame: plots.frame,
      kept: keptOf(view, chosen),
    },
    plots.cost,
    {
      csvHref: csvHref(orgRoot, { ...view, query: { ...view.query, groupBy: 'day' } }),
      budgetAbsence: dayAbsence(day, plots.frame.size, view),
    },
  );
  return (
    <div className="flex flex-col gap-4">
      <Card title="Month against budget" note="UTC">
        <p className="max-w-prose text-text-2 text-ui">
          {plots.month.sentence} {month.absence}
        </p>
      </Card>
      <PlotCard view={cost} />
    </div>
  );
}

/** Filters of the page that the rows behind a column keep. */
function keptOf({ query }: SpendView, chosen: string | undefined): Record<string, string> {
  return {
    by: 'session',
    ...(chosen ? { project: chosen } : {}),
    ...(query.tier === undefined ? {} : { tier: String(query.tier) }),
    ...(query.model ? { model: query.model } : {}),
    ...(query.kind ? { kind: query.kind } : {}),
  };
}

/** Why the plot has no line for the daily budget; empty where it has one. */
function dayAbsence(day: Budget, size: 'hour' | 'day' | 'week', { query }: SpendView): string {
  if (day.limitMicros === null) return day.absence;
  const budget = `The daily budget (${formatCost(day.limitMicros)})`;
  if (size !== 'day')
    return `${budget} isn’t drawn: a column is ${size === 'hour' ? 'an hour' : 'a week'}.`;
  const isFiltered = query.tier !== undefined || query.model || query.kind;
  return isFiltered ? `${budget} isn’t drawn: it covers every tier and model.` : '';
}

/** The rows of a spend page as a file. */
export function csvHref(orgRoot: string, { query }: SpendView): string {
  const search = new URLSearchParams({
    from: query.from.toISOString(),
    to: query.to.toISOString(),
    groupBy: query.groupBy,
  });
  if (query.project) search.set('project', query.project);
  if (query.tier !== undefined) search.set('tier', String(query.tier));
  if (query.model) search.set('model', query.model);
  if (query.kind) search.set('kind', query.kind);
  return `${orgRoot}/spend/usage.csv?${search}`;
}
