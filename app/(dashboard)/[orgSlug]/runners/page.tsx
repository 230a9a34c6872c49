import type { Metadata } from 'next';
import { Suspense } from 'react';
import { PageBody, PageHeader } from '@/app/_components/shell/page-header';
import { Time } from '@/app/_components/status/time';
import { DocLink } from '@/app/_components/ui/doc-link';
import { EmptyState } from '@/app/_components/ui/empty-state';
import type { PageProps } from '@/app/page-props';
import { listAgents } from '@/lib/agents/registry';
import { listRunners } from '@/lib/fleet/manage-runners';
import { getFleetAround } from '@/lib/fleet/overview';
import { requireMember } from '@/lib/identity/auth/current-user';
import { NeedsRole } from '../_components/needs-role';
import { PageSkeleton } from '../_components/page-skeleton';
import { refusalOf } from '../_components/permission';
import { AddRunner } from './_components/enrolment';
import { RunnerProblems } from './_components/runner-problems';
import { fleetSentence } from './_components/runner-state';
import { RunnerTable } from './_components/runner-table';
import { UpdateAllRunners } from './_components/update-runner';

export const metadata: Metadata = { title: 'Runners' };

const MAX_RUNNERS = 100;

export default async function RunnersPage({ params }: PageProps) {
  const { orgSlug } = await params;
  await requireMember(orgSlug);
  return (
    <Suspense fallback={<PageSkeleton width="wide" />}>
      <Fleet orgSlug={orgSlug} />
    </Suspense>
  );
}

async function Fleet({ orgSlug }: { orgSlug: string }) {
  const { scope } = await requireMember(orgSlug);
  const now = new Date();
  const [{ data: all }, around] = await Promise.all([
    listRunners(scope, { limit: MAX_RUNNERS }),
    getFleetAround(scope, now),
  ]);
  const runners = all.filter((runner) => runner.status !== 'revoked');
  const revoked = all.filter((runner) => runner.status === 'revoked');
  const updatable = runners.filter(
    ({ update }) => update.isAvailable && (update.state === 'none' || update.state === 'failed'),
  ).length;
  const refusal = await refusalOf(scope, 'admin');
  const addRunner = (
    <NeedsRole refusal={refusal} label="Add runner" look="primary">
      <AddRunner
        organizationSlug={orgSlug}
        pools={around.pools}
        agents={listAgents()}
        runners={runners.map(({ id, name, pool, status, enrolmentId }) => {
          return { id, name, pool, isOnline: status === 'online', enrolmentId };
        })}
      />
    </NeedsRole>
  );
  return (
    <PageBody width="wide">
      <PageHeader
        title="Runners"
        meta={<DocLink to="runners">How runners work</DocLink>}
        sentence={fleetSentence(runners, around.waiting, now)}
        actions={
          <>
            {updatable > 0 && refusal === null ? (
              <UpdateAllRunners organizationSlug={orgSlug} count={updatable} />
            ) : null}
            {addRunner}
          </>
        }
      />
      {around.enrolments.length > 0 ? (
        <ul className="flex flex-col gap-1 text-text-2 text-ui">
          {around.enrolments.map((enrolment) => (
            <li key={enrolment.expiresAt.toISOString()}>
              A token for pool {enrolment.pool}, created by {enrolment.createdBy}, is waiting for
              its runner and expires <Time at={enrolment.expiresAt.toISOString()} />.
            </li>
          ))}
        </ul>
      ) : null}
      {runners.length > 0 ? (
        <RunnerTable orgSlug={orgSlug} runners={runners} now={now} />
      ) : (
        <EmptyState isCard title="No runners.">
          A runner is a small process on your host that starts the agent; it only makes outgoing
          connections.
        </EmptyState>
      )}
      <RunnerProblems orgSlug={orgSlug} runners={runners} />
      {revoked.length > 0 ? (
        <section className="flex flex-col gap-2">
          <h2 className="text-card">Revoked</h2>
          <RunnerTable orgSlug={orgSlug} runners={revoked} now={now} />
        </section>
      ) : null}
    </PageBody>
  );
}
