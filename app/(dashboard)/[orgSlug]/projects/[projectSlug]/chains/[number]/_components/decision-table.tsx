import { LogTime } from '@/app/_components/log/log-time';
import { Link } from '@/app/_components/ui/link';
import { type Column, DataTable } from '@/app/_components/ui/table';
import type { DecisionDto, SessionItem } from '@/lib/insight/sessions/schema';

interface DecisionTableProps {
  decisions: readonly DecisionDto[];
  sessions: readonly SessionItem[];
  root: string;
}

const KINDS: Record<DecisionDto['kind'], string> = {
  continuation: 'Start',
  escalation: 'Escalation',
  after_end: 'After the end',
};

/** Every decision of the chain with its sentence; guards and figures are one click further. */
export function DecisionTable({ decisions, sessions, root }: DecisionTableProps) {
  const numberOf = (decision: DecisionDto) =>
    sessions.find((session) => session.id === decision.sessionId)?.number;
  const columns: Column<DecisionDto>[] = [
    {
      key: 'at',
      header: 'Time',
      cell: (decision) => <LogTime at={decision.at} />,
      className: 'text-text-2 md:w-28',
    },
    {
      key: 'session',
      header: 'Session',
      phone: 'status',
      cell: (decision) => (
        <Link
          href={`${root}/sessions/${numberOf(decision)}/decision`}
          className="link relative z-10 tabular-nums"
        >
          #{numberOf(decision)}
        </Link>
      ),
      className: 'md:w-20',
    },
    {
      key: 'kind',
      header: 'About',
      phone: 'title',
      cell: (decision) => KINDS[decision.kind],
      className: 'md:w-28',
    },
    {
      key: 'sentence',
      header: 'Decision',
      cell: (decision) => (
        <>
          {decision.sentence} <code className="text-meta text-text-3">{decision.reason}</code>
        </>
      ),
    },
  ];
  return (
    <DataTable
      label="Decisions"
      columns={columns}
      rows={decisions}
      rowKey={(decision) => decision.id}
      isFlush
    />
  );
}
