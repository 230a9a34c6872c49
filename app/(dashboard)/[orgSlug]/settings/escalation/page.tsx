import type { Metadata } from 'next';
import { PageBody } from '@/app/_components/shell/page-body';
import { PageHeader } from '@/app/_components/shell/page-header';
import { Card } from '@/app/_components/ui/card';
import { DocLink } from '@/app/_components/ui/doc-link';
import { EmptyState } from '@/app/_components/ui/empty-state';
import { Link } from '@/app/_components/ui/link';
import { listChannels } from '@/lib/deliveries/channels/manage-channels';
import { listPolicies } from '@/lib/deliveries/escalation/manage-policies';
import { listSchedules } from '@/lib/deliveries/escalation/manage-schedules';
import { encodeId } from '@/lib/platform/ids';
import { loadOverview } from '../../_components/load-overview';
import { NeedsRole } from '../../_components/needs-role';
import { refusalOf } from '../../_components/permission';
import { EditPolicy } from './_components/edit-policy';
import { EditSchedule } from './_components/edit-schedule';
import { channelChoice, escalationSentence } from './_components/escalation-words';
import { PolicyList } from './_components/policy-list';
import { ScheduleList } from './_components/schedule-list';

export const metadata: Metadata = { title: 'Escalation' };

interface EscalationPageProps {
  params: Promise<{ orgSlug: string }>;
}

export default async function EscalationPage({ params }: EscalationPageProps) {
  const { orgSlug } = await params;
  const { scope, overview } = await loadOverview(orgSlug);
  const [policies, schedules, refusal] = [
    await listPolicies(scope),
    await listSchedules(scope),
    await refusalOf(scope, 'admin'),
  ];
  const projects = overview.projects.map(({ id, name }) => ({ id: encodeId('prj', id), name }));
  const channels = (await listChannels(scope)).map(channelChoice);
  const choices = { organizationSlug: orgSlug, channels, schedules, projects, policies };
  const mayAdd = channels.length > 0;
  const addPolicy = (
    <NeedsRole refusal={refusal} label="Add policy" look="primary">
      {mayAdd ? <EditPolicy {...choices} /> : null}
    </NeedsRole>
  );
  const addSchedule = (
    <NeedsRole refusal={refusal} label="Add schedule" size="sm">
      {mayAdd ? <EditSchedule organizationSlug={orgSlug} channels={channels} /> : null}
    </NeedsRole>
  );
  return (
    <PageBody width="wide">
      <PageHeader
        title="Escalation"
        meta={<DocLink to="escalation">How escalation works</DocLink>}
        sentence={escalationSentence(policies, projects)}
        actions={addPolicy}
      />
      {mayAdd ? null : (
        <p className="text-text-2">
          Steps and shifts notify channels, and there are none yet.{' '}
          <Link href={`/${orgSlug}/settings/notifications`} className="link">
            Add a notification channel
          </Link>{' '}
          first.
        </p>
      )}
      <Card title="Policies" note={policies.length} isFlush>
        {policies.length > 0 ? (
          <PolicyList {...choices} mayChange={refusal === null} />
        ) : (
          <EmptyState title="No escalation policies.">
            Without one, channels get one message when an incident opens, one when it needs a human
            and one when it is resolved. A policy notifies more people until someone acknowledges
            the incident.
          </EmptyState>
        )}
      </Card>
      <Card title="On-call schedules" note={schedules.length} actions={addSchedule} isFlush>
        {schedules.length > 0 ? (
          <ScheduleList
            organizationSlug={orgSlug}
            schedules={schedules}
            channels={channels}
            mayChange={refusal === null}
          />
        ) : (
          <EmptyState title="No on-call schedules.">
            A schedule says who is on call by weekday and hour. Steps of a policy can notify whoever
            that is.
          </EmptyState>
        )}
      </Card>
    </PageBody>
  );
}
