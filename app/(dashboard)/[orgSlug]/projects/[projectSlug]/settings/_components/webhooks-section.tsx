import { Card } from '@/app/_components/ui/card';
import { EmptyState } from '@/app/_components/ui/empty-state';
import { NeedsRole } from '@/app/(dashboard)/[orgSlug]/_components/needs-role';
import type { Refusal } from '@/app/(dashboard)/[orgSlug]/_components/permission';
import type { ProjectChoice } from '@/app/(dashboard)/[orgSlug]/_components/project-select';
import { AddEndpoint } from '@/app/(dashboard)/[orgSlug]/webhooks/_components/add-endpoint';
import { EndpointTable } from '@/app/(dashboard)/[orgSlug]/webhooks/_components/endpoint-table';
import type { EndpointDto } from '@/lib/deliveries/endpoints/schema';

interface WebhooksSectionProps {
  organizationSlug: string;
  project: ProjectChoice;
  /** Its own, and those of every project. */
  endpoints: readonly EndpointDto[];
  refusal: Refusal;
}

export function WebhooksSection(props: WebhooksSectionProps) {
  const { organizationSlug, project, endpoints, refusal } = props;
  return (
    <Card
      title="Endpoints of this project"
      note={endpoints.length || undefined}
      actions={
        <NeedsRole refusal={refusal} label="Add endpoint" look="primary">
          <AddEndpoint
            organizationSlug={organizationSlug}
            projects={[project]}
            projectId={project.id}
          />
        </NeedsRole>
      }
      isFlush
    >
      {endpoints.length === 0 ? (
        <EmptyState title="No endpoints yet.">
          An endpoint receives a signed message when a chain ends, needs a human, and for other
          events.
        </EmptyState>
      ) : (
        <EndpointTable
          orgSlug={organizationSlug}
          endpoints={endpoints}
          projectNames={new Map([[project.id, project.name]])}
        />
      )}
    </Card>
  );
}
