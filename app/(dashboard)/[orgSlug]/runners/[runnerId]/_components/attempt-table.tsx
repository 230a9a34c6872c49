import { Unknown } from '@/app/_components/status/cost';
import { Duration } from '@/app/_components/status/duration';
import type { StateOf } from '@/app/_components/status/states';
import { StatusBadge } from '@/app/_components/status/status-badge';
import { TierMark } from '@/app/_components/status/tier-mark';
import { Time } from '@/app/_components/status/time';
import { Card } from '@/app/_components/ui/card';
import { EmptyState } from '@/app/_components/ui/empty-state';
import { type Column, DataTable } from '@/app/_components/ui/table';
import type { listRunnerWork } from '@/lib/fleet/overview';

type Attempt = Awaited<ReturnType<typeof listRunnerWork>>[number];

interface AttemptTableProps {
  orgSlug: string;
  attempts: readonly Attempt[];
}

export function AttemptTable({ orgSlug, attempts }: AttemptTableProps) {
  return (
    <Card title="Attempts" note={attempts.length > 0 ? 'newest first' : undefined} isFlush>
      {attempts.length === 0 ? (
        <EmptyState title="No attempts yet.">
          They appear when a chain of its pool runs here.
        </EmptyState>
      ) : (
        <DataTable
          label="Attempts"
          columns={COLUMNS}
          rows={attempts}
          rowKey={(attempt) => attempt.id}
          rowHref={({ session }) =>
            session.turn?.conversation.deletedAt
              ? null
              : `/${orgSlug}/projects/${session.project.slug}/sessions/${session.number}`
          }
          isFlush
        />
      )}
    </Card>
  );
}

const COLUMNS: Column<Attempt>[] = [
  {
    header: '#',
    phone: 'title',
    cell: ({ session, number }) => (
      <span className="tabular-nums">
        #{session.number}.{number}
      </span>
    ),
  },
  {
    header: 'Status',
    phone: 'status',
    cell: ({ status, end }) => (
      <StatusBadge kind="attempt" state={(end ?? status) as StateOf<'attempt'>} />
    ),
  },
  { header: 'Project', cell: ({ session }) => session.project.name },
  {
    header: 'Tier',
    cell: ({ session: { tier } }) => <TierMark tier={tier >= 3 ? 3 : tier === 2 ? 2 : 1} />,
  },
  { header: 'Model', cell: ({ session }) => session.model },
  {
    header: 'Started',
    cell: ({ startedAt }) =>
      startedAt ? (
        <Time at={startedAt.toISOString()} isPlain />
      ) : (
        <Unknown reason="It never started" />
      ),
  },
  {
    header: 'Took',
    align: 'end',
    cell: ({ startedAt, endedAt }) =>
      startedAt ? (
        <Duration from={startedAt.toISOString()} to={endedAt?.toISOString() ?? null} />
      ) : (
        <Unknown reason="It never started" />
      ),
  },
];
