import { callTitle } from '@/app/_components/log/call-title';
import { LogTime } from '@/app/_components/log/log-time';
import { type Tier, TierMark } from '@/app/_components/status/tier-mark';
import { Link } from '@/app/_components/ui/link';
import { SafeText } from '@/app/_components/ui/safe-text';
import { type Column, DataTable } from '@/app/_components/ui/table';
import type { WorkCall } from '@/lib/insight/chains/schema';
import type { SessionItem } from '@/lib/insight/sessions/schema';
import { formatDuration } from '@/lib/platform/format/duration';

interface CallTableProps {
  label: string;
  calls: readonly WorkCall[];
  sessions: readonly SessionItem[];
  root: string;
  /** Of calls that did not run: they have no duration and counted for nothing. */
  isDenied?: boolean;
}

/** Calls with their tier and result; each leads to its event in the log. */
export function CallTable({ label, calls, sessions, root, isDenied }: CallTableProps) {
  const sessionOf = (call: WorkCall) => sessions.find((session) => session.id === call.sessionId);
  const columns: Column<WorkCall>[] = [
    {
      key: 'at',
      header: 'Time',
      cell: (call) => <LogTime at={call.at} />,
      className: 'text-text-2 md:w-28',
    },
    {
      key: 'tier',
      header: 'Tier',
      phone: 'status',
      cell: (call) => <TierMark tier={(sessionOf(call)?.tier ?? 1) as Tier} />,
      className: 'md:w-16',
    },
    { key: 'command', header: 'Command', phone: 'title', cell: (call) => <Command call={call} /> },
    {
      key: 'service',
      header: 'Counted for',
      cell: (call) =>
        call.counted.map(({ service, action }) => `${service} (${action})`).join(', '),
    },
    { key: 'result', header: 'Result', align: 'end', phone: 'aside', cell: resultOf },
    {
      key: 'took',
      header: 'Took',
      align: 'end',
      cell: (call) => formatDuration(call.durationMs),
    },
    {
      key: 'session',
      header: 'Session',
      align: 'end',
      cell: (call) => (
        <Link href={eventHref(call)} className="link relative z-10">
          #{sessionOf(call)?.number}
        </Link>
      ),
    },
  ];
  const eventHref = (call: WorkCall) =>
    `${root}/sessions/${sessionOf(call)?.number}?event=${call.seq}`;
  return (
    <DataTable
      label={label}
      columns={isDenied ? columns.filter((column) => !RAN.includes(column.key)) : columns}
      rows={calls}
      rowKey={(call) => `${call.sessionId}-${call.seq}`}
      rowHref={eventHref}
      isFlush
    />
  );
}

const RAN = ['service', 'took'];

function Command({ call }: { call: WorkCall }) {
  const { mark, text } = callTitle(call.tool, call.input);
  return (
    <code className="line-clamp-2 text-code [overflow-wrap:anywhere]" title={text}>
      <span className="text-text-3">{mark} </span>
      <SafeText text={text} />
    </code>
  );
}

function resultOf(call: WorkCall) {
  if (call.isDenied) return <span className="text-wait-fg">Denied</span>;
  if (call.exitCode !== null) {
    return <span className={call.exitCode === 0 ? '' : 'text-bad-fg'}>exit {call.exitCode}</span>;
  }
  if (call.durationMs === null) return <span className="text-text-3">no result</span>;
  return call.isError ? <span className="text-bad-fg">failed</span> : 'done';
}
