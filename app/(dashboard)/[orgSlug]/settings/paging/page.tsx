import type { Metadata } from 'next';
import { PageBody, PageHeader } from '@/app/_components/shell/page-header';
import { Card } from '@/app/_components/ui/card';
import { DocLink } from '@/app/_components/ui/doc-link';
import { EmptyState } from '@/app/_components/ui/empty-state';
import { loadOverview } from '@/app/(dashboard)/[orgSlug]/_components/page-context';
import type { PageProps } from '@/app/page-props';
import { listChannels } from '@/lib/deliveries/channels/manage-channels';
import { listMembers } from '@/lib/identity/members/list-members';
import { listPolicies } from '@/lib/paging/manage-policies';
import { encodeId } from '@/lib/platform/ids';
import { NeedsRole } from '../../_components/needs-role';
import { refusalOf } from '../../_components/permission';
import { EditPolicy } from './_components/edit-policy';
import { channelChoice, pagingSentence } from './_components/paging-words';
import { PolicyList } from './_components/policy-list';

export const metadata: Metadata = { title: 'Paging' };

export default async function PagingPage({ params }: PageProps) {
  const { orgSlug } = await params;
  const { scope, overview } = await loadOverview(orgSlug);
  const [policies, members, refusal] = [
    await listPolicies(scope),
    (await listMembers(scope, { limit: 100 })).data,
    await refusalOf(scope, 'admin'),
  ];
  const projects = overview.projects.map(({ id, name }) => ({ id: encodeId('prj', id), name }));
  const channels = (await listChannels(scope)).map(channelChoice);
  const choices = {
    ...{ organizationSlug: orgSlug, channels, projects, policies },
    members: members.map(({ id, name }) => ({ id, name })),
  };
  const addPolicy = (
    <NeedsRole refusal={refusal} label="Add policy" look="primary">
      <EditPolicy {...choices} />
    </NeedsRole>
  );
  return (
    <PageBody width="wide">
      <PageHeader
        title="Paging"
        meta={<DocLink to="paging">How paging works</DocLink>}
        sentence={pagingSentence(policies, projects)}
        actions={addPolicy}
      />
      <Card title="Policies" note={policies.length} isFlush>
        {policies.length > 0 ? (
          <PolicyList {...choices} mayChange={refusal === null} />
        ) : (
          <EmptyState title="No paging policies.">
            Without one, channels get one message when an incident opens, one when it needs a human
            and one when it is resolved. A policy notifies more people until someone acknowledges
            the incident.
          </EmptyState>
        )}
      </Card>
    </PageBody>
  );
}
