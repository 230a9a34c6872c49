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
import { plotViews } from '@/app/_components/charts/views/plot-views';
import { FilterBar } from '@/app/_components/lists/filter-bar';
import { textParam } from '@/app/_components/lists/list-params';
import { PageBody, PageHeader } from '@/app/_components/shell/page-header';
import { Button } from '@/app/_components/ui/button';
import { PartBoundary } from '@/app/_components/ui/part-boundary';
import { SkeletonRows } from '@/app/_components/ui/skeleton';
import type { PageProps } from '@/app/page-props';
import type { PlotSpan } from '@/lib/insight/analytics/buckets';
import { findDefaultRange, getOrganizationPlots } from '@/lib/insight/analytics/get-plots';
import { getIncidentFigures } from '@/lib/insight/incident-figures/get-incident-figures';
import { loadOverview, readerZone } from '../_components/page-context';
import { IncidentFiguresSection } from './incident-figures';

export const metadata: Metadata = { title: 'Analytics' };

export default async function AnalyticsPage({ params, searchParams }: PageProps) {
  const { orgSlug } = await params;
  const { scope, overview } = await loadOverview(orgSlug);
  const search = await searchParams;
  const { projects, organization } = overview;
  const project = projects.find(({ slug }) => slug === textParam(search, 'project')) ?? null;
  const slug = project?.slug ?? null;
  const span = plotSpanOf(search, await findDefaultRange(scope, slug, overview.now));
  const timeZone = await readerZone();
  const csv = new URLSearchParams({
    ...spanQuery(span),
    timeZone,
    ...(slug === null ? {} : { project: slug }),
  });
  const subject = project?.name ?? `${projectsWord(projects.length)} of ${organization.name}`;
  return (
    <PageBody width="wide">
      <PageHeader
        title="Analytics"
        sentence={`Outcomes, escalations and cost of ${subject}. Select a bar, a point or a column to see its rows.`}
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
      {projects.length > 1 ? (
        <FilterBar
          filters={[
            {
              name: 'project',
              label: 'Project',
              value: slug ?? undefined,
              allLabel: 'Any project',
              choices: projects.map(({ slug: value, name: label }) => ({ value, label })),
            },
          ]}
        />
      ) : null}
      <PartBoundary title="Couldn’t load the plots.">
        <Suspense key={csv.toString()} fallback={<PlotGridSkeleton count={4} />}>
          <Plots orgSlug={orgSlug} project={slug} range={span} />
        </Suspense>
      </PartBoundary>
      <PartBoundary title="Couldn’t load the figures of incidents.">
        <Suspense
          key={`incidents ${csv}`}
          fallback={<SkeletonRows label="Loading the figures of incidents" />}
        >
          <Incidents orgSlug={orgSlug} project={slug} range={span} />
        </Suspense>
      </PartBoundary>
    </PageBody>
  );
}

function projectsWord(count: number): string {
  return count === 1 ? '1 project' : `all ${count} projects`;
}

interface PlotsProps {
  orgSlug: string;
  /** Slug; null for every project. */
  project: string | null;
  range: PlotSpan;
}

async function Plots({ orgSlug, project, range }: PlotsProps) {
  const { scope } = await loadOverview(orgSlug);
  const timeZone = await readerZone();
  const plots = await getOrganizationPlots(scope, { range, timeZone, project });
  const orgRoot = `/${orgSlug}`;
  const root = project === null ? orgRoot : `${orgRoot}/projects/${project}`;
  const place = { root, orgRoot, range, timeZone };
  return <LazyPlotGrid views={plotViews(place, plots, plots.escalations)} />;
}

async function Incidents({ orgSlug, project, range }: PlotsProps) {
  const { scope } = await loadOverview(orgSlug);
  const timeZone = await readerZone();
  const found = await getIncidentFigures(scope, { range, timeZone, project });
  const root = project === null ? `/${orgSlug}` : `/${orgSlug}/projects/${project}`;
  return <IncidentFiguresSection found={found} incidentsHref={`${root}/incidents`} />;
}
