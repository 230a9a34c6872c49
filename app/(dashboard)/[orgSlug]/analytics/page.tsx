import { Download } from 'lucide-react';
import type { Metadata } from 'next';
import { Suspense } from 'react';
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
import { organizationViews } from '@/app/_components/charts/views/all-views';
import { type Params, textParam } from '@/app/_components/lists/list-params';
import { PageBody } from '@/app/_components/shell/page-body';
import { PageHeader } from '@/app/_components/shell/page-header';
import { Button } from '@/app/_components/ui/button';
import { PartBoundary } from '@/app/_components/ui/part-boundary';
import type { PlotSpan } from '@/lib/insight/analytics/buckets';
import { findDefaultRange, getOrganizationPlots } from '@/lib/insight/analytics/get-plots';
import { loadOverview } from '../_components/load-overview';
import { readerZone } from '../_components/reader-zone';

interface AnalyticsPageProps {
  params: Promise<{ orgSlug: string }>;
  searchParams: Promise<Params>;
}

export const metadata: Metadata = { title: 'Analytics' };

export default async function AnalyticsPage({ params, searchParams }: AnalyticsPageProps) {
  const { orgSlug } = await params;
  const { scope, overview } = await loadOverview(orgSlug);
  const search = await searchParams;
  const span = plotSpanOf(search, await findDefaultRange(scope, null, overview.now));
  const timeZone = await readerZone();
  const csv = new URLSearchParams({ ...spanQuery(span), timeZone });
  const { projects, organization } = overview;
  return (
    <PageBody width="wide">
      <PageHeader
        title="Analytics"
        sentence={`Outcomes, time to recovery and cost of ${projects.length === 1 ? '1 project' : `all ${projects.length} projects`} of ${organization.name}. Select a bar, a point or a column to see its rows.`}
        actions={
          <>
            <RangeLinks ranges={PLOT_RANGE_LINKS} current={rangeOf(span)} />
            <SpanPicker />
            <Button asChild look="primary">
              <a href={`/${orgSlug}/analytics/plots.csv?${csv}`} download>
                <Download aria-hidden /> Export CSV
              </a>
            </Button>
          </>
        }
      />
      <PartBoundary title="Couldn’t load the plots.">
        <Suspense key={csv.toString()} fallback={<PlotGridSkeleton count={8} />}>
          <Plots orgSlug={orgSlug} range={span} pool={textParam(search, 'pool') ?? null} />
        </Suspense>
      </PartBoundary>
    </PageBody>
  );
}

interface PlotsProps {
  orgSlug: string;
  range: PlotSpan;
  pool: string | null;
}

async function Plots({ orgSlug, range, pool }: PlotsProps) {
  const { scope } = await loadOverview(orgSlug);
  const timeZone = await readerZone();
  const plots = await getOrganizationPlots(scope, { range, timeZone, pool });
  const root = `/${orgSlug}`;
  return (
    <LazyPlotGrid views={organizationViews({ root, orgRoot: root, range, timeZone }, plots)} />
  );
}
