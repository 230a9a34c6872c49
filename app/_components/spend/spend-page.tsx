import { Download } from 'lucide-react';
import type { ReactNode } from 'react';
import { ASK_TIER } from '@/lib/engine/statuses';
import { getForecast, type MonthForecast } from '@/lib/insight/spend/forecast';
import { getSpend } from '@/lib/insight/spend/get-spend';
import type { SpendPage as Spend, SpendGroup } from '@/lib/insight/spend/schema';
import type { TenantScope } from '@/lib/platform/db/scope';
import { formatCost } from '@/lib/platform/format/cost';
import { RangeLinks } from '../charts/range-links';
import { FilterBar } from '../lists/filter-bar';
import { hrefWith, type Params } from '../lists/list-params';
import { PageBody } from '../shell/page-body';
import { PageHeader } from '../shell/page-header';
import { tierName } from '../status/tier-mark';
import { Button } from '../ui/button';
import { EmptyState, NoMatch } from '../ui/empty-state';
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
  /** To choose from, on the page of the organization. */
  projects: readonly { slug: string; name: string }[];
  now: Date;
  /** The one primary action. */
  action: ReactNode;
  /** The budgets, with the forecast for the month. */
  budgets: (forecast: MonthForecast) => ReactNode;
}

const TABS: { by: SpendGroup; label: string }[] = [
  { by: 'day', label: 'By day' },
  { by: 'project', label: 'By project' },
  { by: 'tier', label: 'By tier' },
  { by: 'model', label: 'By model' },
  { by: 'session', label: 'By session' },
];

/** The ledger of an organization or a project, summed as the address says. */
export async function SpendPage(props: SpendPageProps) {
  const { scope, params, path, project, projects, now } = props;
  const chosen = projects.find((candidate) => candidate.slug === params.project)?.slug;
  const view = spendViewOf(params, project ?? chosen, now);
  const page = await getSpend(scope, view.query);
  const forecast = await getForecast(scope, project ?? chosen ?? null, now);
  const orgRoot = `/${scope.organizationSlug}`;
  const hrefTo = (change: Record<string, string | null>) => hrefWith(path, params, change);
  const tabs = TABS.filter(({ by }) => by !== 'project' || project === null);
  return (
    <PageBody width="wide">
      <PageHeader
        title="Spend"
        sentence={sentenceOf(page, view, forecast, now)}
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
      {props.budgets(forecast)}
      <div className="flex flex-col gap-4">
        <TabLinks
          label="Summed"
          tabs={tabs.map(({ by, label }) => ({ href: hrefTo({ by }), label }))}
          currentHref={hrefTo({ by: view.query.groupBy })}
        >
          <span className="max-md:hidden">Days are UTC, as budgets count</span>
        </TabLinks>
        <FilterBar filters={filtersOf(view, page, projects, chosen)} />
        {page.rows.length === 0 && page.missing.length === 0 ? (
          <div className="rounded-card border border-line bg-surface">
            {view.isFiltered || chosen ? (
              <NoMatch what="costs" clearHref={path} />
            ) : (
              <EmptyState title={`Nothing was spent in ${view.spanWords}.`}>
                Each process that ends books what it used, by model.
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

function sentenceOf(page: Spend, view: SpendView, forecast: MonthForecast, now: Date): string {
  const { micros, estimateMicros } = page.total;
  const estimate = estimateMicros > 0 ? `, ${formatCost(estimateMicros)} of it estimated` : '';
  const spent = `${formatCost(micros)} was spent in ${view.spanWords}${estimate}.`;
  const month = `This month ${formatCost(forecast.monthMicros)} so far`;
  if (forecast.forecastMicros === null) return `${spent} ${month}.`;
  return `${spent} ${month}, about ${formatCost(forecast.forecastMicros)} by ${monthEnd(now)} at the pace of the last week.`;
}

/** `30 Nov`. */
function monthEnd(now: Date): string {
  const last = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1, 0));
  const words = { timeZone: 'UTC', day: 'numeric', month: 'short' } as const;
  return new Intl.DateTimeFormat('en-GB', words).format(last).replace('Sept', 'Sep');
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

function csvHref(orgRoot: string, { query }: SpendView): string {
  const search = new URLSearchParams({
    from: query.from.toISOString(),
    to: query.to.toISOString(),
    groupBy: query.groupBy,
  });
  if (query.project) search.set('project', query.project);
  if (query.tier !== undefined) search.set('tier', String(query.tier));
  if (query.model) search.set('model', query.model);
  return `${orgRoot}/spend/usage.csv?${search}`;
}
