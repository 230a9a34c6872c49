import type { Metadata } from 'next';
import { NextTry } from '@/app/_components/deliveries/next-try';
import { RefreshWhileMoving } from '@/app/_components/deliveries/refresh-while-moving';
import { weeklyWords } from '@/app/_components/deliveries/weekly-words';
import { PageBody, PageHeader } from '@/app/_components/shell/page-header';
import { StatusBadge } from '@/app/_components/status/status-badge';
import { Time } from '@/app/_components/status/time';
import { DocLink } from '@/app/_components/ui/doc-link';
import { EmptyState } from '@/app/_components/ui/empty-state';
import { type Column, DataTable } from '@/app/_components/ui/table';
import { loadOverview } from '@/app/(dashboard)/[orgSlug]/_components/page-context';
import type { ProjectChoice } from '@/app/(dashboard)/[orgSlug]/_components/project-select';
import type { PageProps } from '@/app/page-props';
import type { TargetForm } from '@/lib/deliveries/channels/form';
import { listChannels } from '@/lib/deliveries/channels/manage-channels';
import { targetForms } from '@/lib/deliveries/channels/registry';
import type { ChannelDto } from '@/lib/deliveries/channels/schema';
import { MAX_ATTEMPTS } from '@/lib/deliveries/outbox/retry-policy';
import { listPolicies } from '@/lib/paging/manage-policies';
import { env } from '@/lib/platform/env';
import { formatCounted } from '@/lib/platform/format/count';
import { encodeId } from '@/lib/platform/ids';
import { NeedsRole } from '../../_components/needs-role';
import { refusalOf } from '../../_components/permission';
import { AddChannel } from './_components/add-channel';
import { ChannelActs } from './_components/channel-acts';
import { channelState, channelsSentence, subscriptionWords } from './_components/channel-words';

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
        <EmptyState isCard title="No notification channels.">
          A channel sends messages to people: {forms.map(({ name }) => name).join(', ')}. You choose
          which outcomes of a chain it reports.
        </EmptyState>
      )}
    </PageBody>
  );
}

interface ChannelTableProps {
  organizationSlug: string;
  channels: readonly ChannelDto[];
  projects: readonly ProjectChoice[];
  forms: readonly TargetForm[];
  mayChange: boolean;
  /** Names of the paging policies that notify a channel, by its id. */
  notifiedBy: Readonly<Record<string, readonly string[]>>;
}

function ChannelTable(props: ChannelTableProps) {
  const { organizationSlug, channels, projects, forms, mayChange, notifiedBy } = props;
  const nameOf = (projectId: string) =>
    projects.find((project) => project.id === projectId)?.name ?? 'one project';
  const formOf = (kind: string) => forms.find((form) => form.kind === kind);
  const columns: Column<ChannelDto>[] = [
    {
      header: 'Channel',
      phone: 'title',
      className: 'md:py-2',
      cell: ({ name }) => <span className="font-medium">{name}</span>,
    },
    {
      header: 'State',
      phone: 'status',
      cell: (channel) => <StatusBadge kind="notification_channel" state={channelState(channel)} />,
    },
    {
      header: 'Target',
      className: 'md:max-w-70',
      cell: ({ kind, target }) => (
        <span className="text-text-2 wrap-anywhere">
          {formOf(kind)?.name}: {target}
        </span>
      ),
    },
    {
      header: 'Events',
      className: 'md:max-w-60',
      cell: (channel) => (
        <>
          {subscriptionWords(channel)}
          {channel.projectId ? (
            <span className="text-text-2">, only {nameOf(channel.projectId)}</span>
          ) : null}
          {channel.quietHours ? (
            <span className="block text-text-2">
              Quiet hours: {weeklyWords(channel.quietHours)} ({channel.quietHours.timeZone})
            </span>
          ) : null}
        </>
      ),
    },
    { header: 'Last message', cell: ({ last }) => <LastMessage last={last} /> },
  ];
  const acts: Column<ChannelDto> = {
    header: 'Acts',
    isHeaderHidden: true,
    align: 'end',
    phone: 'aside',
    cell: (channel) => {
      const form = formOf(channel.kind);
      return form ? (
        <ChannelActs
          organizationSlug={organizationSlug}
          channel={channel}
          form={form}
          projects={projects}
          notifiedBy={notifiedBy[channel.id] ?? []}
        />
      ) : null;
    },
  };
  return (
    <DataTable
      label="Notification channels"
      columns={mayChange ? [...columns, acts] : columns}
      rows={channels}
      rowKey={(channel) => channel.id}
    />
  );
}

/** Completes the badge: "2 of 8", "after 8 attempts". */
function attemptsOf({ status, attempts }: NonNullable<ChannelDto['last']>): string | null {
  if (status === 'retrying') return `${attempts} of ${MAX_ATTEMPTS}`;
  return status === 'exhausted' ? `after ${formatCounted(attempts, 'attempt')}` : null;
}

/** Announced to screen readers, since a test's result arrives without a user action. */
function LastMessage({ last }: Pick<ChannelDto, 'last'>) {
  if (!last) return <span className="text-text-3">None yet</span>;
  const hasTrouble = ['retrying', 'exhausted', 'refused'].includes(last.status);
  return (
    <div role="status" className="flex flex-col items-start gap-0.5">
      <span className="flex flex-wrap items-center gap-x-2">
        <StatusBadge kind="delivery" state={last.status} detail={attemptsOf(last)} />
        <span className="text-meta text-text-3">
          <Time at={last.at} isPlain />
        </span>
      </span>
      <span className="text-text-2">{last.title}</span>
      {hasTrouble && last.result ? (
        <span className="max-w-prose text-bad-fg wrap-anywhere">{last.result}</span>
      ) : null}
      {last.status === 'retrying' && last.nextAttemptAt ? (
        <span className="text-text-2">
          <NextTry at={last.nextAttemptAt} />
        </span>
      ) : null}
    </div>
  );
}
