import type { Metadata } from 'next';
import { PageBody, PageHeader } from '@/app/_components/shell/page-header';
import { DocLink } from '@/app/_components/ui/doc-link';
import { EmptyState } from '@/app/_components/ui/empty-state';
import type { PageProps } from '@/app/page-props';
import { listEndpoints } from '@/lib/deliveries/endpoints/manage-endpoints';
import { encodeId } from '@/lib/platform/ids';
import { NeedsRole } from '../_components/needs-role';
import { loadOverview } from '../_components/page-context';
import { refusalOf } from '../_components/permission';
import { AddEndpoint } from './_components/add-endpoint';
import { endpointsSentence } from './_components/endpoint-state';
import { EndpointTable } from './_components/endpoint-table';

export const metadata: Metadata = { title: 'Webhooks' };

/** More than an organization may have. */
const MAX_ENDPOINTS = 100;

export default async function WebhooksPage({ params }: PageProps) {
  const { orgSlug } = await params;
  const { scope, overview } = await loadOverview(orgSlug);
  const { data: endpoints } = await listEndpoints(scope, { limit: MAX_ENDPOINTS });
  const projects = overview.projects.map(({ id, name }) => ({ id: encodeId('prj', id), name }));
  const addEndpoint = (
    <NeedsRole refusal={await refusalOf(scope, 'admin')} label="Add endpoint" look="primary">
      <AddEndpoint organizationSlug={orgSlug} projects={projects} />
    </NeedsRole>
  );
  return (
    <PageBody width="wide">
      <PageHeader
        title="Webhooks"
        meta={<DocLink to="webhooks">How to receive and verify them</DocLink>}
        sentence={endpointsSentence(endpoints)}
        actions={addEndpoint}
      />
      {endpoints.length > 0 ? (
        <EndpointTable
          orgSlug={orgSlug}
          endpoints={endpoints}
          projectNames={new Map(projects.map(({ id, name }) => [id, name]))}
        />
      ) : (
        <EmptyState isCard title="No webhook endpoints.">
          An endpoint is a URL you control. When a chain ends, Tierwatch posts a signed summary to
          it: outcome, sessions, cost and the services affected.
        </EmptyState>
      )}
    </PageBody>
  );
}
