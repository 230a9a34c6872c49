import { Cost } from '@/app/_components/status/cost';
import { StatusBadge } from '@/app/_components/status/status-badge';
import { Time } from '@/app/_components/status/time';
import { type Column, DataTable } from '@/app/_components/ui/table';
import type { ConversationDto } from '@/lib/conversations/schema';
import { microsOf } from '@/lib/platform/format/cost';
import { formatCount } from '@/lib/platform/format/count';

interface ConversationTableProps {
  conversations: readonly ConversationDto[];
  base: string;
}

export function ConversationTable({ conversations, base }: ConversationTableProps) {
  return (
    <DataTable
      label="Conversations"
      columns={COLUMNS}
      rows={conversations}
      rowKey={({ id }) => id}
      rowHref={({ id }) => `${base}/${id}`}
    />
  );
}

const COLUMNS: Column<ConversationDto>[] = [
  {
    key: 'title',
    header: 'Conversation',
    phone: 'title',
    cell: ({ title, phase }) => (
      <span className="inline-flex flex-wrap items-center gap-x-2 gap-y-1">
        <span className="line-clamp-2 min-w-0 [overflow-wrap:anywhere]">{title}</span>
        {phase === 'idle' ? null : <StatusBadge kind="conversation" state={phase} />}
      </span>
    ),
    className: 'md:min-w-64',
  },
  {
    key: 'about',
    header: 'About',
    cell: ({ chain, project }) => (chain ? `chain #${chain.number}` : project.name),
    className: 'whitespace-nowrap',
  },
  { key: 'by', header: 'Begun by', cell: ({ createdBy }) => createdBy },
  { key: 'turns', header: 'Turns', align: 'end', cell: ({ turns }) => formatCount(turns) },
  {
    key: 'last',
    header: 'Last turn',
    cell: ({ lastTurnAt }) => <Time at={lastTurnAt} isPlain />,
  },
  {
    key: 'cost',
    header: 'Cost',
    align: 'end',
    phone: 'aside',
    cell: ({ costUsd, isBusy }) => (
      <Cost
        micros={costUsd === null ? null : microsOf(costUsd)}
        form={isBusy ? 'running' : 'final'}
        unknownReason="No turn has reported its usage"
      />
    ),
  },
];
