import type { Metadata } from 'next';
import { PageBody, PageHeader } from '@/app/_components/shell/page-header';
import { EmptyState } from '@/app/_components/ui/empty-state';
import type { PageProps } from '@/app/page-props';
import { listAgents } from '@/lib/agents/registry';
import { canConfineOn, confinementOf } from '@/lib/fleet/capabilities';
import { confinementProblem } from '@/lib/fleet/confinement';
import { listRunners } from '@/lib/fleet/manage-runners';
import { getFleetAround } from '@/lib/fleet/overview';
import { isSampleAvailable } from '@/lib/fleet/sample-project';
import { requireMember } from '@/lib/identity/auth/current-user';
import { CHECK_KINDS, CHECK_TYPES } from '@/lib/protocol/checks/kinds';
import type { Capabilities } from '@/lib/protocol/schema';
import { refusalOf } from '../../_components/permission';
import { LoadSample } from '../_components/load-sample';
import { ProjectWizard } from './_components/project-wizard';
import type { CheckWords } from './_components/watch-step';

/** Not loaded by the browser: kinds come with their fields. */
const checkWords = Object.fromEntries(
  CHECK_TYPES.map((type) => [type, CHECK_KINDS[type].word]),
) as CheckWords;

export const metadata: Metadata = { title: 'New project' };

export default async function NewProjectPage({ params }: PageProps) {
  const { orgSlug } = await params;
  const { scope } = await requireMember(orgSlug);
  const refusal = await refusalOf(scope, 'admin');
  if (refusal) {
    return (
      <PageBody>
        <PageHeader title="New project" />
        <EmptyState isCard title="You can’t make a project here.">
          {refusal}
        </EmptyState>
      </PageBody>
    );
  }
  const [{ data: runners }, { pools }, hasSample] = await Promise.all([
    listRunners(scope, { limit: 100 }),
    getFleetAround(scope),
    isSampleAvailable(),
  ]);
  return (
    <PageBody>
      <PageHeader
        title="New project"
        sentence="What to watch, how often, and where it runs. Everything else has a default that you can change in the settings."
      />
      {hasSample ? <Sample organizationSlug={orgSlug} /> : null}
      <ProjectWizard
        organizationSlug={orgSlug}
        pools={pools}
        agents={listAgents()}
        checkWords={checkWords}
        runners={runners
          .filter((runner) => runner.status !== 'revoked')
          .map(({ id, name, pool, status, capabilities, enrolmentId }) => ({
            id,
            name,
            pool,
            isOnline: status === 'online',
            enrolmentId,
            agents: (capabilities?.harnesses ?? []).map(({ name, isUsable, problem }) => {
              return { name, isUsable, problem };
            }),
            canConfine: canConfineOn([{ capabilities }]),
            ...unconfinedReason(capabilities),
          }))}
      />
    </PageBody>
  );
}

function unconfinedReason(capabilities: Capabilities | null): { why: string; fix: string } {
  if (capabilities === null) return { why: 'It hasn’t connected yet.', fix: '' };
  return confinementProblem(confinementOf(capabilities)) ?? { why: '', fix: '' };
}

function Sample({ organizationSlug }: { organizationSlug: string }) {
  return (
    <div className="flex max-w-180 flex-wrap items-center justify-between gap-3 rounded-card border border-line bg-surface px-4 py-3 text-ui">
      <p className="max-w-prose text-text-2">
        <span className="font-medium text-text">Just looking?</span> The sample project watches
        three small services that run on the machine of this installation, with the demo agent and
        no model. You can break them and watch the tiers repair them. Its runner has to be on that
        machine, too.
      </p>
      <LoadSample organizationSlug={organizationSlug} />
    </div>
  );
}
