import type { Metadata } from 'next';
import { cache } from 'react';
import { FactLine } from '@/app/_components/chains/fact-line';
import { CrumbName } from '@/app/_components/shell/crumb-name';
import { PageBody, PageHeader } from '@/app/_components/shell/page-header';
import { Unknown } from '@/app/_components/status/cost';
import { Duration } from '@/app/_components/status/duration';
import type { StateOf } from '@/app/_components/status/states';
import { StatusBadge } from '@/app/_components/status/status-badge';
import { TierMark } from '@/app/_components/status/tier-mark';
import { Time } from '@/app/_components/status/time';
import { Card } from '@/app/_components/ui/card';
import { EmptyState } from '@/app/_components/ui/empty-state';
import { type Column, DataTable } from '@/app/_components/ui/table';
import { orNotFound } from '@/app/(dashboard)/[orgSlug]/_components/page-context';
import type { PageProps } from '@/app/page-props';
import { getRunner } from '@/lib/fleet/manage-runners';
import { listRunnerWork } from '@/lib/fleet/overview';
import type { RunnerDto } from '@/lib/fleet/schema';
import { requireMember } from '@/lib/identity/auth/current-user';
import { formatCounted } from '@/lib/platform/format/count';
import { visibleText } from '@/lib/platform/format/visible-text';
import { NeedsRole } from '../../_components/needs-role';
import { PauseNote } from '../../_components/pause-note';
import { refusalOf } from '../../_components/permission';
import { RunnerProblems } from '../_components/runner-problems';
import { runnerLook } from '../_components/runner-state';
import { UpdateRunner } from '../_components/update-runner';
import { CapabilitiesCard } from './_components/capabilities-card';
import { RunnerActs, RunnerPause, RunnerSettings } from './_components/runner-acts';

const loadRunner = cache(async (orgSlug: string, runnerId: string) => {
  const { scope } = await requireMember(orgSlug);
  return { scope, runner: await orNotFound(getRunner(scope, runnerId)) };
});

export async function generateMetadata({ params }: PageProps<'runnerId'>): Promise<Metadata> {
  const { orgSlug, runnerId } = await params;
  const { runner } = await loadRunner(orgSlug, runnerId);
  return { title: visibleText(`${runner.name} · Runners`) };
}

export default async function RunnerPage({ params }: PageProps<'runnerId'>) {
  const { orgSlug, runnerId } = await params;
  const { scope, runner } = await loadRunner(orgSlug, runnerId);
  const attempts = await listRunnerWork(scope, runner.id);
  const { state, detail } = runnerLook(runner, new Date());
  const { id, name, pool, status, slotsInUse, drainingAt } = runner;
  return (
    <PageBody>
      <CrumbName segment={id} name={name} />
      <PageHeader
        title={name}
        marks={<StatusBadge kind="runner" state={state} detail={detail} />}
        meta={
          <FactLine>
            <span>pool {pool}</span>
            <span>
              {slotsInUse} of {runner.slots} slots in use
            </span>
            {runner.lastSeenAt ? (
              <span>
                last contact <Time at={runner.lastSeenAt} />
              </span>
            ) : null}
          </FactLine>
        }
        sentence={
          <>
            {sentenceOf(runner)}
            {runner.pause ? <PauseNote pause={runner.pause} /> : null}
          </>
        }
        actions={
          status === 'revoked' ? null : (
            <>
              <NeedsRole
                refusal={await refusalOf(scope, 'operator')}
                label={runner.pause ? 'Resume' : 'Pause'}
              >
                <RunnerPause
                  organizationSlug={orgSlug}
                  runner={{ id, name }}
                  isPaused={runner.pause !== null}
                />
              </NeedsRole>
              <NeedsRole refusal={await refusalOf(scope, 'admin')} label="Drain">
                <UpdateRunner organizationSlug={orgSlug} runner={runner} />
                <RunnerSettings organizationSlug={orgSlug} runner={runner} />
                <RunnerActs
                  organizationSlug={orgSlug}
                  runner={{ id, name, pool, status, slotsInUse, drainingAt }}
                />
              </NeedsRole>
            </>
          )
        }
      />
      <RunnerProblems runners={[runner]} />
      <CapabilitiesCard runner={runner} />
      <AttemptTable orgSlug={orgSlug} attempts={attempts} />
    </PageBody>
  );
}

function sentenceOf({ name, status, slotsInUse, pool }: RunnerDto): string {
  switch (status) {
    case 'online':
      return slotsInUse > 0
        ? `${name} is running ${formatCounted(slotsInUse, 'attempt')}.`
        : `${name} is idle, waiting for work in pool ${pool}.`;
    case 'offline':
      return `${name} has stopped responding.`;
    case 'draining':
      return slotsInUse > 0
        ? `${name} is finishing its attempts and claims no new ones.`
        : `${name} has no running attempts and claims no new ones. You can shut it down.`;
    case 'paused':
      return `${name} is paused and claims no new attempts.`;
    case 'never':
      return `${name} was enrolled but has never connected.`;
    case 'revoked':
      return `${name} is revoked and its key no longer works. To use the host again, enroll it under a new name.`;
  }
}

type Attempt = Awaited<ReturnType<typeof listRunnerWork>>[number];

interface AttemptTableProps {
  orgSlug: string;
  attempts: readonly Attempt[];
}

function AttemptTable({ orgSlug, attempts }: AttemptTableProps) {
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
