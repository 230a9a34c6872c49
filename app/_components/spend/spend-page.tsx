import { Download } from 'lucide-react';
import { type ReactNode, Suspense } from 'react';
import { ASK_TIER } from '@/lib/engine/statuses';
import { findDefaultRange } from '@/lib/insight/analytics/get-plots';
import type { ProjectFacts } from '@/lib/insight/dashboard/schema';
import { getSpend } from '@/lib/insight/spend/get-spend';
import { getSpendPlots } from '@/lib/insight/spend/get-spend-plots';
import { type Budget, joinBudgets } from '@/lib/insight/spend/month';
import type { SpendPage as Spend, SpendGroup } from '@/lib/insight/spend/schema';
import type { TenantScope } from '@/lib/platform/db/scope';
import { formatCost } from '@/lib/platform/format/cost';
import { PlotCard } from '../charts/plot-card';
import { PlotGridSkeleton } from '../charts/plot-grid-skeleton';
import { RangeLinks } from '../charts/range-links';
import { spendView } from '../charts/views/cost-views';
import { FilterBar } from '../lists/filter-bar';
import { FilterChips } from '../lists/filter-chips';
import { hrefWith, type Params } from '../lists/list-params';
import { PageBody, PageHeader } from '../shell/page-header';
import { tierName } from '../status/tier-mark';
import { Button } from '../ui/button';
import { Card } from '../ui/card';
import { EmptyState, NoMatch } from '../ui/empty-state';
import { PartBoundary } from '../ui/part-boundary';
import { TabLinks } from '../ui/tab-links';
import { SPEND_RANGE_LINKS, type SpendView, spendViewOf } from './spend-params';
import { SpendTable } from './spend-table';

interface SpendPageProps {
  scope: TenantScope;
  params: Params;
  /** Of the page: "/acme/spend". */
  path: string;
  /** Slug; null sums over every project. */
  project: string | null;
  /** Of the page: the one of `project`, or all of the organization with their budgets. */
  projects: readonly BudgetedProject[];
  now: Date;
  /** The one primary action. */
  action: ReactNode;
  budgets: ReactNode;
  /** Below the plots, for the span that is shown. */
  detailsOf?: (view: SpendView) => ReactNode;
}

const TABS: { by: SpendGroup; label: string }[] = [
  { by: 'day', label: 'By day' },
  { by: 'project', label: 'By project' },
  { by: 'tier', label: 'By tier' },
  { by: 'model', label: 'By model' },
  { by: 'session', label: 'By session' },
];

/** The ledger of an organization or a project, plotted and summed as the address says. */
export async function SpendPage(props: SpendPageProps) {
  const { scope, params, path, project, projects, now } = props;
  const chosen =
    project === null
      ? projects.find((candidate) => candidate.slug === params.project)?.slug
      : undefined;
  const shown = project ?? chosen ?? null;
  const view = spendViewOf(
    params,
    shown ?? undefined,
    now,
    await findDefaultRange(scope, shown, now),
  );
  const page = await getSpend(scope, view.query);
  const orgRoot = `/${scope.organizationSlug}`;
  const hrefTo = (change: Record<string, string | null>) => hrefWith(path, params, change);
  const tabs = TABS.filter(({ by }) => by !== 'project' || project === null);
  return (
    <PageBody width="wide">
      <PageHeader
        title="Spend"
        sentence={sentenceOf(page, view)}
        actions={
          <>
            <RangeLinks ranges={SPEND_RANGE_LINKS} current={view.range} />
            <Button asChild>
              <a href={csvHref(orgRoot, view)} download>
                <Download aria-hidden /> CSV
              </a>
            </Button>
            {props.action}
          </>
        }
      />
      {props.budgets}
      <PartBoundary title="Couldn’t load the plots.">
        <Suspense key={JSON.stringify(view.query)} fallback={<PlotGridSkeleton count={1} />}>
          <SpendPlots {...{ scope, path, project, projects, now, view, chosen }} />
        </Suspense>
      </PartBoundary>
      {props.detailsOf?.(view)}
      <div className="flex flex-col gap-4">
        <TabLinks
          label="Summed"
          tabs={tabs.map(({ by, label }) => ({ href: hrefTo({ by }), label }))}
          currentHref={hrefTo({ by: view.query.groupBy })}
        >
          <span className="max-md:hidden">Days are UTC, as budgets count</span>
        </TabLinks>
        <FilterBar filters={filtersOf(view, page, project === null ? projects : [], chosen)} />
        <FilterChips
          span={null}
          spanClearHref={path}
          words={
            view.query.kind
              ? [{ label: KIND_WORDS[view.query.kind], clearHref: hrefTo({ kind: null }) }]
              : []
          }
        />
        {page.rows.length === 0 && page.missing.length === 0 ? (
          <div className="rounded-card border border-line bg-surface">
            {view.isFiltered || chosen ? (
              <NoMatch what="costs" clearHref={path} />
            ) : (
              <EmptyState title={`Nothing was spent in ${view.spanWords}.`}>
                Each process books its usage by model when it ends.
              </EmptyState>
            )}
          </div>
        ) : (
          <SpendTable
            page={page}
            groupBy={view.query.groupBy}
            hrefOf={(row) => rowHref(row, view.query.groupBy, orgRoot, hrefTo)}
            missingHref={(end) =>
              `${project ? path.replace(/\/spend$/, '') : orgRoot}/sessions?end=${end}&range=90d`
            }
          />
        )}
      </div>
    </PageBody>
  );
}

const KIND_WORDS = { work: 'Without overhead', overhead: 'Overhead only' };

function sentenceOf(page: Spend, view: SpendView): string {
  const { micros, estimateMicros } = page.total;
  const estimate =
    estimateMicros > 0 ? `, of which ${formatCost(estimateMicros)} is estimated` : '';
  return `${formatCost(micros)} was spent in ${view.spanWords}${estimate}.`;
}

function filtersOf(
  { query }: SpendView,
  page: Spend,
  projects: SpendPageProps['projects'],
  chosen: string | undefined,
) {
  return [
    ...(projects.length > 1
      ? [
          {
            name: 'project',
            label: 'Project',
            value: chosen,
            allLabel: 'Any project',
            choices: projects.map(({ slug, name }) => ({ value: slug, label: name })),
          },
        ]
      : []),
    {
      name: 'tier',
      label: 'Tier',
      value: query.tier?.toString(),
      allLabel: 'Any tier',
      choices: [
        ...([1, 2, 3] as const).map((tier) => ({ value: `${tier}`, label: tierName(tier) })),
        { value: `${ASK_TIER}`, label: 'Ask' },
      ],
    },
    {
      name: 'model',
      label: 'Model',
      value: query.model,
      allLabel: 'Any model',
      choices: [...new Set([...page.models, ...(query.model ? [query.model] : [])])].map(
        (model) => ({ value: model, label: model }),
      ),
    },
  ];
}

/** Each sum leads to what it is the sum of, down to the ledger of a session. */
function rowHref(
  row: Spend['rows'][number],
  groupBy: SpendGroup,
  orgRoot: string,
  hrefTo: (change: Record<string, string | null>) => string,
): string | null {
  switch (groupBy) {
    case 'day':
      return hrefTo({ day: row.key, by: 'session', range: null, from: null, to: null });
    case 'project':
      return row.project ? hrefTo({ project: row.project, by: 'day' }) : null;
    case 'tier':
      return hrefTo({ tier: row.key, by: 'session' });
    case 'model':
      return hrefTo({ model: row.key, by: 'session' });
    case 'session':
      return row.project && row.number !== null
        ? `${orgRoot}/projects/${row.project}/sessions/${row.number}/ledger`
        : null;
  }
}

type BudgetedProject = Pick<ProjectFacts, 'slug' | 'name' | 'dayLimitMicros' | 'monthLimitMicros'>;

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
async function SpendPlots(props: SpendPlotsProps) {
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
function csvHref(orgRoot: string, { query }: SpendView): string {
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
