import type { Metadata } from 'next';
import { Suspense } from 'react';
import { PageBody } from '@/app/_components/shell/page-body';
import { Card } from '@/app/_components/ui/card';
import { EmptyState } from '@/app/_components/ui/empty-state';
import { listChains } from '@/lib/chains/service/list-chains';
import { getServiceHealth } from '@/lib/projects/dashboard/service/get-service-health';
import { PageSkeleton } from '../../_components/page-skeleton';
import { readerClock } from '../../_components/reader-zone';
import { BudgetCard } from './_components/budget-card';
import { DashboardHeader } from './_components/dashboard-header';
import { loadProject } from './_components/load-project';
import { RecentChains } from './_components/recent-chains';
import { ServiceList } from './_components/service-list';

const RECENT_CHAINS = 10;

interface ProjectPageProps {
  params: Promise<{ orgSlug: string; projectSlug: string }>;
}

export async function generateMetadata({ params }: ProjectPageProps): Promise<Metadata> {
  const { orgSlug, projectSlug } = await params;
  const { project } = await loadProject(orgSlug, projectSlug);
  return { title: project.name };
}

export default async function ProjectPage({ params }: ProjectPageProps) {
  const { orgSlug, projectSlug } = await params;
  await loadProject(orgSlug, projectSlug);
  return (
    <Suspense fallback={<PageSkeleton />}>
      <Dashboard orgSlug={orgSlug} projectSlug={projectSlug} />
    </Suspense>
  );
}

interface DashboardProps {
  orgSlug: string;
  projectSlug: string;
}

async function Dashboard({ orgSlug, projectSlug }: DashboardProps) {
  const { scope, overview, project } = await loadProject(orgSlug, projectSlug);
  const root = `/${orgSlug}/projects/${projectSlug}`;
  const [services, { data: chains }, clock] = await Promise.all([
    getServiceHealth(scope, project.id),
    listChains(scope, { project: projectSlug, limit: RECENT_CHAINS }),
    readerClock(),
  ]);
  return (
    <PageBody>
      <DashboardHeader
        scope={scope}
        overview={overview}
        project={project}
        services={services}
        chains={chains}
        clock={clock}
      />
      <div className="grid grid-cols-[minmax(0,1fr)_20rem] gap-6 max-lg:grid-cols-1 max-md:gap-4">
        <ServiceList root={root} services={services} clock={clock} now={overview.now} />
        <BudgetCard orgSlug={orgSlug} project={project} runners={overview.runners} />
      </div>
      {chains.length > 0 ? (
        <RecentChains root={root} chains={chains} />
      ) : (
        <Card title="Recent chains" isFlush>
          <EmptyState title="No cycle has run yet.">
            Each cycle is a chain: tier 1 looks, and higher tiers start only when you allow them.
          </EmptyState>
        </Card>
      )}
    </PageBody>
  );
}
