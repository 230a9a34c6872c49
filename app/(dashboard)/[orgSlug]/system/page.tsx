import { CircleCheck, CircleX } from 'lucide-react';
import type { Metadata } from 'next';
import type { ReactNode } from 'react';
import { PageBody, PageHeader } from '@/app/_components/shell/page-header';
import { Unknown } from '@/app/_components/status/cost';
import { Time } from '@/app/_components/status/time';
import { Card } from '@/app/_components/ui/card';
import { DefinitionList } from '@/app/_components/ui/definition-list';
import { DocLink } from '@/app/_components/ui/doc-link';
import { EmptyState } from '@/app/_components/ui/empty-state';
import type { PageProps } from '@/app/page-props';
import { requireMember } from '@/lib/identity/auth/current-user';
import { formatDuration } from '@/lib/platform/format/duration';
import { getSystemFacts, type SystemFacts } from '@/lib/platform/system-facts';
import { RUNNER_VERSION } from '@/lib/protocol/schema';
import { listSharedProblems } from '@/lib/watchdog/get-health';
import { refusalOf } from '../_components/permission';
import { isLate, ProblemsCard, systemSentence } from './problems-card';

export const metadata: Metadata = { title: 'System' };

export default async function SystemPage({ params }: PageProps) {
  const { scope } = await requireMember((await params).orgSlug);
  const refusal = await refusalOf(scope, 'admin', 'Reading it needs');
  if (refusal) {
    return (
      <PageBody>
        <PageHeader title="System" />
        <EmptyState isCard title="This page is for admins.">
          {refusal}
        </EmptyState>
      </PageBody>
    );
  }
  const facts = await getSystemFacts(scope);
  const problems = facts.database.isUp ? await listSharedProblems().catch(() => null) : null;
  const openCount = problems?.filter(({ until }) => until === null).length ?? 0;
  return (
    <PageBody>
      <PageHeader
        title="System"
        meta={
          <>
            <span>
              Checked <Time at={facts.checkedAt.toISOString()} />
            </span>
            <DocLink to="operations">How to operate Tierwatch</DocLink>
          </>
        }
        sentence={systemSentence(facts, facts.checkedAt, openCount)}
      />
      <div className="grid grid-cols-2 gap-6 max-lg:grid-cols-1 max-md:gap-4">
        <PartsCard facts={facts} />
        <ProblemsCard problems={problems} />
        <SweepsCard facts={facts} />
        <VersionsCard facts={facts} />
        <InstallationCard facts={facts} />
      </div>
    </PageBody>
  );
}

function Answer({ isUp, children }: { isUp: boolean; children?: ReactNode }) {
  const Icon = isUp ? CircleCheck : CircleX;
  return (
    <span className="inline-flex flex-wrap items-center gap-x-2">
      <span className="inline-flex items-center gap-1.5">
        <Icon aria-hidden className={isUp ? 'size-4 text-ok-mark' : 'size-4 text-bad-mark'} />
        {isUp ? 'Up' : 'Down'}
      </span>
      {children ? <span className="text-text-2">{children}</span> : null}
    </span>
  );
}

function PartsCard({ facts: { database, queue, worker, leaseClock } }: { facts: SystemFacts }) {
  return (
    <Card title="Parts">
      <DefinitionList
        items={[
          {
            term: 'Database',
            value: (
              <Answer isUp={database.isUp}>
                {database.version ? `PostgreSQL ${database.version}` : null}
                {database.answerMs === null ? null : `, ${formatDuration(database.answerMs)}`}
              </Answer>
            ),
          },
          { term: 'Queue', value: <Answer isUp={queue.isUp}>on {queue.backend}</Answer> },
          {
            term: 'Worker',
            value: (
              <Answer isUp={worker.isUp}>
                {worker.lastSeenAt ? (
                  <>
                    last seen <Time at={worker.lastSeenAt.toISOString()} />
                  </>
                ) : (
                  'never seen'
                )}
              </Answer>
            ),
          },
          {
            term: 'Lease clock',
            value: <Answer isUp={leaseClock.isUp}>recorded by web processes</Answer>,
          },
        ]}
      />
    </Card>
  );
}

function SweepsCard({ facts: { sweeps, checkedAt } }: { facts: SystemFacts }) {
  return (
    <Card title="Recurring jobs" note={sweeps.length}>
      {sweeps.length === 0 ? (
        <p className="text-text-2">Unknown: the queue is down, or no worker has ever started.</p>
      ) : (
        <DefinitionList
          items={sweeps.map((sweep) => ({
            term: sweep.name,
            value: sweep.dueAt ? (
              <span className={isLate(sweep, checkedAt) ? 'text-bad-fg' : undefined}>
                {isLate(sweep, checkedAt) ? 'late, was due ' : 'due '}
                <Time at={sweep.dueAt.toISOString()} />
              </span>
            ) : (
              <Unknown reason="The queue holds no time for it" />
            ),
          }))}
        />
      )}
    </Card>
  );
}

function VersionsCard({ facts: { versions } }: { facts: SystemFacts }) {
  return (
    <Card title="Versions">
      <DefinitionList
        items={[
          { term: 'Tierwatch', value: versions.product },
          {
            term: 'Build',
            value: versions.build || <Unknown reason="Nothing is built in development" />,
          },
          { term: 'Runner', value: `${RUNNER_VERSION}, as this control plane expects it` },
          { term: 'Node.js', value: versions.node.replace(/^v/, '') },
        ]}
      />
    </Card>
  );
}

function InstallationCard({ facts }: { facts: SystemFacts }) {
  return (
    <Card title="Installation">
      <DefinitionList
        items={[
          { term: 'Address', value: facts.publicUrl },
          {
            term: 'E-mail',
            value: facts.isMailConfigured
              ? 'Configured'
              : 'Not configured: links are shown instead',
          },
          {
            term: 'Dry run',
            value: facts.isDryRunForced ? 'Forced for every project' : 'By project',
          },
          {
            term: 'Private webhook targets',
            value: facts.allowsPrivateTargets ? 'Allowed' : 'Refused',
          },
          ...(facts.dataDir ? [{ term: 'Data folder', value: <code>{facts.dataDir}</code> }] : []),
        ]}
      />
    </Card>
  );
}
