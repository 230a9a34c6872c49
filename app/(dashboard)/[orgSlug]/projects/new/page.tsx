import type { Metadata } from 'next';
import { PageBody } from '@/app/_components/shell/page-body';
import { PageHeader } from '@/app/_components/shell/page-header';
import { Card } from '@/app/_components/ui/card';
import { EmptyState } from '@/app/_components/ui/empty-state';
import { listAgents } from '@/lib/agents/registry';
import { listRunners } from '@/lib/fleet/manage-runners';
import { getFleetAround } from '@/lib/fleet/overview';
import { requireMember } from '@/lib/identity/auth/current-user';
import { getDefaultCostBases } from '@/lib/insight/schedule-cost/get-basis';
import { refusalOf } from '../../_components/permission';
import { ProjectWizard } from './_components/project-wizard';

export const metadata: Metadata = { title: 'New project' };

interface NewProjectPageProps {
  params: Promise<{ orgSlug: string }>;
}

export default async function NewProjectPage({ params }: NewProjectPageProps) {
  const { orgSlug } = await params;
  const { scope } = await requireMember(orgSlug);
  const refusal = await refusalOf(scope, 'admin');
  if (refusal) {
    return (
      <PageBody>
        <PageHeader title="New project" />
        <Card isFlush>
          <EmptyState title="You can’t make a project here.">{refusal}</EmptyState>
        </Card>
      </PageBody>
    );
  }
  const [{ data: runners }, { pools }, costBases] = await Promise.all([
    listRunners(scope, { limit: 100 }),
    getFleetAround(scope),
    getDefaultCostBases(scope),
  ]);
  return (
    <PageBody>
      <PageHeader
        title="New project"
        sentence="What to watch, how often, and where it runs. Everything else has a default that you can change in the settings."
      />
      <ProjectWizard
        organizationSlug={orgSlug}
        pools={pools}
        agents={listAgents()}
        costBases={costBases}
        runners={runners
          .filter((runner) => runner.status !== 'revoked')
          .map(({ id, name, pool, status, posture, enrolmentId }) => ({
            id,
            name,
            pool,
            isOnline: status === 'online',
            enrolmentId,
            agents: (posture?.harnesses ?? []).map(({ name, isUsable, problem }) => {
              return { name, isUsable, problem };
            }),
          }))}
      />
    </PageBody>
  );
}
