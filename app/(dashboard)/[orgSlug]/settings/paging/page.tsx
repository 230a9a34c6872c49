import type { Metadata } from 'next';
import { PageBody, PageHeader } from '@/app/_components/shell/page-header';
import { Time } from '@/app/_components/status/time';
import { Card } from '@/app/_components/ui/card';
import { cn } from '@/app/_components/ui/cn';
import { DocLink } from '@/app/_components/ui/doc-link';
import { EmptyState } from '@/app/_components/ui/empty-state';
import { loadOverview } from '@/app/(dashboard)/[orgSlug]/_components/page-context';
import type { PageProps } from '@/app/page-props';
import { listChannels } from '@/lib/deliveries/channels/manage-channels';
import { listMembers } from '@/lib/identity/members/list-members';
import { listPolicies } from '@/lib/paging/manage-policies';
import type { CalendarDto, PolicyDto } from '@/lib/paging/schema';
import { encodeId } from '@/lib/platform/ids';
import { NeedsRole } from '../../_components/needs-role';
import { refusalOf } from '../../_components/permission';
import type { Choice } from './_components/edit-form';
import { DeletePolicy, EditPolicy } from './_components/edit-policy';
import {
  channelChoice,
  onCallSentence,
  pagingSentence,
  repeatWords,
  stepWords,
} from './_components/paging-words';

export const metadata: Metadata = { title: 'Paging' };

export default async function PagingPage({ params }: PageProps) {
  const { orgSlug } = await params;
  const { scope, overview } = await loadOverview(orgSlug);
  const [policies, members, refusal] = [
    await listPolicies(scope),
    (await listMembers(scope, { limit: 100 })).data,
    await refusalOf(scope, 'admin'),
  ];
  const projects = overview.projects.map(({ id, name }) => ({ id: encodeId('prj', id), name }));
  const channels = (await listChannels(scope)).map(channelChoice);
  const choices = {
    ...{ organizationSlug: orgSlug, channels, projects, policies },
    members: members.map(({ id, name }) => ({ id, name })),
  };
  const addPolicy = (
    <NeedsRole refusal={refusal} label="Add policy" look="primary">
      <EditPolicy {...choices} />
    </NeedsRole>
  );
  return (
    <PageBody width="wide">
      <PageHeader
        title="Paging"
        meta={<DocLink to="paging">How paging works</DocLink>}
        sentence={pagingSentence(policies, projects)}
        actions={addPolicy}
      />
      <Card title="Policies" note={policies.length} isFlush>
        {policies.length > 0 ? (
          <PolicyList {...choices} mayChange={refusal === null} />
        ) : (
          <EmptyState title="No paging policies.">
            Without one, channels get one message when an incident opens, one when it needs a human
            and one when it is resolved. A policy notifies more people until someone acknowledges
            the incident.
          </EmptyState>
        )}
      </Card>
    </PageBody>
  );
}

interface PolicyListProps {
  organizationSlug: string;
  policies: readonly PolicyDto[];
  channels: readonly Choice[];
  members: readonly Choice[];
  projects: readonly Choice[];
  mayChange: boolean;
}

/** Each policy with its steps, in order, and the projects that use it. */
function PolicyList({ mayChange, ...choices }: PolicyListProps) {
  const { organizationSlug, policies, projects } = choices;
  return (
    <ul className="divide-y divide-line">
      {policies.map((policy) => (
        <li key={policy.id} id={policy.id} className="flex items-start gap-4 px-4 py-3">
          <div className="flex min-w-0 flex-1 flex-col gap-1">
            <h3 className="break-words font-medium">{policy.name}</h3>
            <ol className="list-decimal pl-5 text-text-2">
              {policy.steps.map((step) => (
                <li key={step.afterMinutes} className="break-words">
                  {stepWords(step, choices)}
                  {step.calendar ? <OnCall of={step.calendar} /> : null}
                </li>
              ))}
            </ol>
            {policy.warnings.map((warning) => (
              <p key={warning} className="break-words text-ui text-wait-fg">
                {warning}
              </p>
            ))}
            <p className="text-text-2 text-ui">{repeatWords(policy)}</p>
            <p className="break-words text-text-2 text-ui">{usedBy(policy, projects)}</p>
          </div>
          {mayChange ? (
            <div className="flex gap-2">
              <EditPolicy {...choices} policy={policy} />
              <DeletePolicy organizationSlug={organizationSlug} policy={policy} />
            </div>
          ) : null}
        </li>
      ))}
    </ul>
  );
}

/** Who is on call now, and when that was read. */
function OnCall({ of }: { of: CalendarDto }) {
  return (
    <span className={cn('block text-ui', of.failure ? 'text-bad-fg' : 'text-text-2')}>
      {onCallSentence(of)}{' '}
      {of.readAt ? (
        <>
          Read <Time at={of.readAt} />.
        </>
      ) : null}
    </span>
  );
}

function usedBy({ projectIds }: PolicyDto, projects: readonly Choice[]): string {
  const names = projects.filter(({ id }) => projectIds.includes(id)).map(({ name }) => name);
  return names.length === 0 ? 'Used by no project yet.' : `Used by ${names.join(', ')}.`;
}
