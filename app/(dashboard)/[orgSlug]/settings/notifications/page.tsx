import type { Metadata } from 'next';
import { RefreshWhileMoving } from '@/app/_components/deliveries/refresh-while-moving';
import { PageBody, PageHeader } from '@/app/_components/shell/page-header';
import { Card } from '@/app/_components/ui/card';
import { DocLink } from '@/app/_components/ui/doc-link';
import { EmptyState } from '@/app/_components/ui/empty-state';
import { loadOverview } from '@/app/(dashboard)/[orgSlug]/_components/page-context';
import type { PageProps } from '@/app/page-props';
import { listChannels } from '@/lib/deliveries/channels/manage-channels';
import { targetForms } from '@/lib/deliveries/channels/registry';
import { listPolicies } from '@/lib/paging/manage-policies';
import { env } from '@/lib/platform/env';
import { encodeId } from '@/lib/platform/ids';
import { NeedsRole } from '../../_components/needs-role';
import { refusalOf } from '../../_components/permission';
import { AddChannel } from './_components/add-channel';
import { ChannelTable } from './_components/channel-table';
import { channelsSentence } from './_components/channel-words';

export const metadata: Metadata = { title: 'Notifications' };

export default async function NotificationsPage({ params }: PageProps) {
  const { orgSlug } = await params;
  const { scope, overview } = await loadOverview(orgSlug);
  const channels = await listChannels(scope);
  const refusal = await refusalOf(scope, 'admin');
  const projects = overview.projects.map(({ id, name }) => ({ id: encodeId('prj', id), name }));
  const forms = targetForms(env());
  const moving = channels.filter(
    ({ last }) => last && ['scheduled', 'sending'].includes(last.status),
  );
  const policies = await listPolicies(scope);
  const notifiedBy = Object.fromEntries(
    channels.map(({ id }) => [
      id,
      policies
        .filter(({ steps }) => steps.some(({ channelIds }) => channelIds.includes(id)))
        .map(({ name }) => name),
    ]),
  );
  const addChannel = (
    <NeedsRole refusal={refusal} label="Add channel" look="primary">
      <AddChannel organizationSlug={orgSlug} projects={projects} forms={forms} />
    </NeedsRole>
  );
  return (
    <PageBody width="wide">
      <RefreshWhileMoving
        isMoving={moving.length > 0}
        nextDueAt={
          channels
            .flatMap(({ last }) => (last?.status === 'retrying' ? (last.nextAttemptAt ?? []) : []))
            .sort()[0] ?? null
        }
      />
      <PageHeader
        title="Notifications"
        meta={<DocLink to="notifications">How notifications work</DocLink>}
        sentence={channelsSentence(channels)}
        actions={addChannel}
      />
      {channels.length > 0 ? (
        <ChannelTable
          organizationSlug={orgSlug}
          channels={channels}
          projects={projects}
          forms={forms}
          mayChange={refusal === null}
          notifiedBy={notifiedBy}
        />
      ) : (
        <Card isFlush>
          <EmptyState title="No notification channels.">
            A channel sends messages to people: {forms.map(({ name }) => name).join(', ')}. You
            choose which outcomes of a chain it reports.
          </EmptyState>
        </Card>
      )}
    </PageBody>
  );
}
