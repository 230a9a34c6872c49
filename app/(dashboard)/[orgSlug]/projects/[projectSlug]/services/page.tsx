import { PageBody, PageHeader } from '@/app/_components/shell/page-header';
import { Unknown } from '@/app/_components/status/cost';
import { ModifierChip, StatusBadge } from '@/app/_components/status/status-badge';
import { Time } from '@/app/_components/status/time';
import { ButtonLink } from '@/app/_components/ui/button-link';
import { EmptyState } from '@/app/_components/ui/empty-state';
import { type Column, DataTable } from '@/app/_components/ui/table';
import { readerClock } from '@/app/(dashboard)/[orgSlug]/_components/page-context';
import type { ProjectPageProps } from '@/app/page-props';
import { getServiceHealth } from '@/lib/insight/dashboard/get-overview';
import { summarizeProject } from '@/lib/insight/dashboard/health-summary';
import type { ServiceFacts } from '@/lib/insight/dashboard/schema';
import { loadProject, projectMetadata } from '../_components/load-project';
import { ServicePast, worstFirst } from '../_components/service-list';

export const generateMetadata = projectMetadata('Services');

export default async function ServicesPage({ params }: ProjectPageProps) {
  const { orgSlug, projectSlug } = await params;
  const { scope, project, overview } = await loadProject(orgSlug, projectSlug);
  const services = worstFirst(await getServiceHealth(scope, project.id, overview.now));
  const clock = await readerClock();
  const root = `/${orgSlug}/projects/${projectSlug}`;
  const settings = <ButtonLink href={`${root}/settings/services`}>Edit services</ButtonLink>;
  return (
    <PageBody width="wide">
      <PageHeader
        title="Services"
        sentence={summarizeProject(project, overview, clock).short}
        actions={settings}
      />
      {services.length > 0 ? (
        <DataTable
          label="Services"
          columns={columnsOf(root, overview.now, clock)}
          rows={services}
          rowKey={(service) => service.name}
          rowHref={(service) => `${root}/services/${encodeURIComponent(service.name)}`}
        />
      ) : (
        <div className="rounded-card border border-line bg-surface">
          <EmptyState title="No services yet.">
            A service is what a project checks: a URL, a port, a container or a process.
          </EmptyState>
        </div>
      )}
    </PageBody>
  );
}

function columnsOf(root: string, now: Date, clock: (at: Date) => string): Column<ServiceFacts>[] {
  return [
    { header: 'Service', phone: 'title', cell: (service) => service.name },
    {
      header: 'Status',
      phone: 'status',
      cell: (service) => (
        <span className="inline-flex flex-wrap items-center gap-x-2 gap-y-1">
          <StatusBadge kind="service" state={service.status} />
          {service.snoozedUntil ? (
            <ModifierChip modifier="snoozed" detail={`until ${clock(service.snoozedUntil)}`} />
          ) : null}
        </span>
      ),
    },
    {
      header: 'Since',
      cell: ({ failingSince, statusSince, status, lastCheckedAt }) =>
        statusSince && status !== 'unknown' ? (
          <Time at={(failingSince ?? statusSince).toISOString()} isPlain />
        ) : (
          <Unknown reason={lastCheckedAt ? 'Its checks couldn’t run' : 'Not checked yet'} />
        ),
    },
    {
      header: 'Last check',
      cell: ({ lastCheckedAt }) =>
        lastCheckedAt ? (
          <Time at={lastCheckedAt.toISOString()} isPlain />
        ) : (
          <Unknown reason="Not checked yet" />
        ),
    },
    {
      header: 'Last error',
      cell: ({ lastError, status }) =>
        lastError && status !== 'healthy' ? (
          <span className="break-words md:line-clamp-2">{lastError}</span>
        ) : (
          ''
        ),
      className: 'max-md:not-empty:line-clamp-3 md:max-w-96',
    },
    {
      header: 'Recent',
      cell: (service) => <ServicePast root={root} service={service} now={now} clock={clock} />,
      className: 'md:min-w-64 max-md:order-last max-md:basis-full max-md:text-left',
    },
  ];
}
