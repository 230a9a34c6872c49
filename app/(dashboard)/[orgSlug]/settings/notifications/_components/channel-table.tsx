import { NextTry } from '@/app/_components/deliveries/next-try';
import { weeklyWords } from '@/app/_components/deliveries/weekly-words';
import { StatusBadge } from '@/app/_components/status/status-badge';
import { Time } from '@/app/_components/status/time';
import { type Column, DataTable } from '@/app/_components/ui/table';
import type { ProjectChoice } from '@/app/(dashboard)/[orgSlug]/_components/project-select';
import type { TargetForm } from '@/lib/deliveries/channels/form';
import type { ChannelDto } from '@/lib/deliveries/channels/schema';
import { MAX_ATTEMPTS } from '@/lib/deliveries/outbox/retry-policy';
import { formatCounted } from '@/lib/platform/format/count';
import { ChannelActs } from './channel-acts';
import { channelState, subscriptionWords } from './channel-words';

interface ChannelTableProps {
  organizationSlug: string;
  channels: readonly ChannelDto[];
  projects: readonly ProjectChoice[];
  forms: readonly TargetForm[];
  mayChange: boolean;
  /** Names of the paging policies that notify a channel, by its id. */
  notifiedBy: Readonly<Record<string, readonly string[]>>;
}

export function ChannelTable(props: ChannelTableProps) {
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
