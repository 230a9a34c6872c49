import type { Metadata } from 'next';
import { Suspense } from 'react';
import { TierPath } from '@/app/_components/chains/chain-table';
import { LazyPlotGrid } from '@/app/_components/charts/lazy-plot-grid';
import { PlotGridSkeleton } from '@/app/_components/charts/plot-grid-skeleton';
import {
  PLOT_RANGE_LINKS,
  plotSpanOf,
  rangeOf,
  spanQuery,
} from '@/app/_components/charts/plot-ranges';
import { RangeLinks } from '@/app/_components/charts/range-links';
import { SpanPicker } from '@/app/_components/charts/span-picker';
import { plotViews } from '@/app/_components/charts/views/plot-views';
import { PageBody } from '@/app/_components/shell/page-header';
import { BudgetBar } from '@/app/_components/status/budget-bar';
import { Cost, Unknown } from '@/app/_components/status/cost';
import { Duration } from '@/app/_components/status/duration';
import { StatusBadge } from '@/app/_components/status/status-badge';
import { Time } from '@/app/_components/status/time';
import { Card } from '@/app/_components/ui/card';
import { EmptyState } from '@/app/_components/ui/empty-state';
import { Link, TextLink } from '@/app/_components/ui/link';
import { PartBoundary } from '@/app/_components/ui/part-boundary';
import { type Column, DataTable } from '@/app/_components/ui/table';
import { GetStarted } from '@/app/(dashboard)/[orgSlug]/_components/get-started';
import { readerClock, readerZone } from '@/app/(dashboard)/[orgSlug]/_components/page-context';
import type { ProjectPageProps } from '@/app/page-props';
import { TRIGGERS } from '@/lib/engine/triggers';
import type { PlotSpan } from '@/lib/insight/analytics/buckets';
import { findDefaultRange, getProjectPlots } from '@/lib/insight/analytics/get-plots';
import { listChains } from '@/lib/insight/chains/list-chains';
import type { ChainItem } from '@/lib/insight/chains/schema';
import { getBlockedChecks } from '@/lib/insight/dashboard/get-blocked-checks';
import { getServiceHealth } from '@/lib/insight/dashboard/get-overview';
import { summarizeProject } from '@/lib/insight/dashboard/health-summary';
import type { Overview, ProjectFacts } from '@/lib/insight/dashboard/schema';
import { visibleText } from '@/lib/platform/format/visible-text';
import { PageSkeleton } from '../../_components/page-skeleton';
import { BlockedChecks } from './_components/blocked-checks';
import { DashboardHeader } from './_components/dashboard-header';
import { DemoGuide } from './_components/demo-guide';
import { isSample, loadProject } from './_components/load-project';
import { ServiceList } from './_components/service-list';

const RECENT_CHAINS = 10;

export async function generateMetadata({ params }: ProjectPageProps): Promise<Metadata> {
  const { orgSlug, projectSlug } = await params;
  const { overview, project } = await loadProject(orgSlug, projectSlug);
  return { title: visibleText(summarizeProject(project, overview, await readerClock()).title) };
}

export default async function ProjectPage({ params, searchParams }: ProjectPageProps) {
  const { orgSlug, projectSlug } = await params;
  const { scope } = await loadProject(orgSlug, projectSlug);
  const span = plotSpanOf(await searchParams, await findDefaultRange(scope, projectSlug));
  return (
    <Suspense fallback={<PageSkeleton />}>
      <Dashboard orgSlug={orgSlug} projectSlug={projectSlug} span={span} />
    </Suspense>
  );
}

interface DashboardProps {
  orgSlug: string;
  projectSlug: string;
  span: PlotSpan;
}

async function Dashboard({ orgSlug, projectSlug, span }: DashboardProps) {
  const { scope, overview, project } = await loadProject(orgSlug, projectSlug);
  const root = `/${orgSlug}/projects/${projectSlug}`;
  const [services, blocked, { data: chains }, clock] = await Promise.all([
    getServiceHealth(scope, project.id, overview.now),
    getBlockedChecks(scope, project.id),
    listChains(scope, { project: projectSlug, limit: RECENT_CHAINS }),
    readerClock(),
  ]);
  return (
    <PageBody>
      <DashboardHeader
        scope={scope}
        overview={overview}
        project={project}
        chains={chains}
        clock={clock}
      />
      {(await isSample(scope, project)) ? (
        <DemoGuide root={root} isMonitored={project.isMonitored} chains={chains} />
      ) : null}
      {blocked ? (
        <BlockedChecks orgSlug={orgSlug} root={root} blocked={blocked} showsService />
      ) : null}
      <div className="grid grid-cols-[minmax(0,1fr)_20rem] gap-6 max-lg:grid-cols-1 max-md:gap-4">
        <ServiceList root={root} services={services} now={overview.now} clock={clock} />
        <BudgetCard orgSlug={orgSlug} project={project} runners={overview.runners} />
      </div>
      <GetStarted scope={scope} />
      <section aria-labelledby="plots" className="flex flex-col gap-3 max-md:order-last">
        <div className="flex flex-wrap items-center justify-between gap-3">
          <h2 id="plots" className="text-section">
            Trends
          </h2>
          <div className="flex flex-wrap items-center gap-2">
            <RangeLinks ranges={PLOT_RANGE_LINKS} current={rangeOf(span)} />
            <SpanPicker />
          </div>
        </div>
        <PartBoundary title="Couldn’t load the plots.">
          <Suspense
            key={Object.values(spanQuery(span)).join()}
            fallback={<PlotGridSkeleton count={4} />}
          >
            <Plots orgSlug={orgSlug} projectSlug={projectSlug} span={span} />
          </Suspense>
        </PartBoundary>
      </section>
      {chains.length > 0 ? (
        <RecentChains root={root} chains={chains} />
      ) : (
        <Card title="Recent chains" isFlush>
          <EmptyState title="No chain has run yet.">
            A chain starts with tier 1, which observes. Higher tiers start only when you allow them.
          </EmptyState>
        </Card>
      )}
    </PageBody>
  );
}

async function Plots({ orgSlug, projectSlug, span }: DashboardProps) {
  const { scope, project } = await loadProject(orgSlug, projectSlug);
  const timeZone = await readerZone();
  const { dayLimitMicros } = project;
  const plots = await getProjectPlots(scope, {
    range: span,
    timeZone,
    dayLimitMicros,
    project: projectSlug,
  });
  const orgRoot = `/${orgSlug}`;
  const root = `${orgRoot}/projects/${projectSlug}`;
  return (
    <LazyPlotGrid
      isFolded
      level={3}
      views={plotViews({ root, orgRoot, range: span, timeZone }, plots)}
    />
  );
}

interface BudgetCardProps {
  orgSlug: string;
  project: ProjectFacts;
  runners: Overview['runners'];
}

/** What may still be spent, and who there is to do the work. */
function BudgetCard({ orgSlug, project, runners }: BudgetCardProps) {
  const pool = runners.filter((runner) => runner.pool === project.pool);
  const online = pool.filter((runner) => runner.isOnline).length;
  return (
    <Card
      title="Budget"
      className="self-start"
      actions={
        <Link href={`/${orgSlug}/projects/${project.slug}/spend`} className="link text-ui">
          Spend
        </Link>
      }
    >
      <div className="flex flex-col gap-3">
        <BudgetBar
          label="Today"
          spentMicros={project.dayMicros}
          limitMicros={project.dayLimitMicros}
        />
        <BudgetBar
          label="This month"
          spentMicros={project.monthMicros}
          limitMicros={project.monthLimitMicros}
        />
        <p className="flex flex-wrap items-center justify-between gap-2 border-line border-t pt-3 text-ui">
          <TextLink href={`/${orgSlug}/runners`}>Runner pool {project.pool}</TextLink>
          <StatusBadge
            kind="runner"
            state={online > 0 ? 'online' : pool.length > 0 ? 'offline' : 'never_connected'}
            detail={pool.length > 0 ? `${online} of ${pool.length}` : undefined}
          />
        </p>
        <p className="text-meta text-text-3">Days and months are UTC.</p>
      </div>
    </Card>
  );
}

interface RecentChainsProps {
  /** Of the project: `/acme/projects/checkout`. */
  root: string;
  chains: readonly ChainItem[];
}

function RecentChains({ root, chains }: RecentChainsProps) {
  return (
    <Card
      title="Recent chains"
      isFlush
      actions={
        <Link href={`${root}/chains`} className="link text-ui">
          All chains
        </Link>
      }
    >
      <DataTable
        label="Recent chains"
        columns={columns(chains)}
        rows={chains}
        rowKey={(chain) => chain.id}
        rowHref={(chain) => `${root}/chains/${chain.number}`}
        isFlush
      />
    </Card>
  );
}

function columns(_chains: readonly ChainItem[]): Column<ChainItem>[] {
  return [
    {
      header: 'Chain',
      phone: 'title',
      cell: (chain) => <span className="tabular-nums">#{chain.number}</span>,
      className: 'w-16 max-md:order-none max-md:w-auto max-md:flex-none',
    },
    {
      header: 'Outcome',
      phone: 'status',
      className: 'max-md:order-1 max-md:min-w-0 max-md:flex-1',
      cell: (chain) => (
        <StatusBadge
          kind="chain"
          state={chain.outcome ?? (chain.status === 'ended' ? 'failed' : chain.status)}
          detail={
            chain.outcome === null && chain.highestTier > 0 ? `tier ${chain.highestTier}` : null
          }
          reason={reasonOf(chain)}
        />
      ),
    },
    {
      header: 'Tiers',
      cell: (chain) =>
        chain.sessions.length > 0 ? (
          <TierPath sessions={chain.sessions} />
        ) : (
          <Unknown reason="It never started" />
        ),
    },
    {
      header: 'Started',
      cell: (chain) => (
        <span className="whitespace-nowrap">
          <Time at={chain.startedAt ?? chain.createdAt} isPlain />
          <span className="text-text-3"> · {TRIGGERS[chain.trigger].label}</span>
        </span>
      ),
    },
    {
      header: 'Took',
      align: 'end',
      cell: (chain) =>
        chain.startedAt ? (
          <Duration from={chain.startedAt} to={chain.endedAt} />
        ) : (
          <Unknown reason="It never started" />
        ),
    },
    {
      header: 'Cost',
      align: 'end',
      phone: 'aside',
      cell: (chain) => (
        <Cost
          micros={chain.sessions.length > 0 ? Math.round(chain.totalCostUsd * 1_000_000) : null}
          unknownReason="It never started"
          form={chain.outcome === null ? 'running' : chain.isCostEstimated ? 'estimate' : 'final'}
        />
      ),
    },
  ];
}

/** A wait, a skip and a bad end say why; a good one needs no words here. */
function reasonOf(chain: ChainItem): string | undefined {
  if (chain.acknowledgement) return `acknowledged by ${chain.acknowledgement.by}`;
  if (chain.outcome === 'healthy' || chain.outcome === 'fixed' || chain.status === 'running') {
    return undefined;
  }
  return chain.statusText || undefined;
}
