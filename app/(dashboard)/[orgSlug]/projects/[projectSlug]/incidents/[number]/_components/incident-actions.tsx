import { Download } from 'lucide-react';
import { Button } from '@/app/_components/ui/button';
import { refusalOf } from '@/app/(dashboard)/[orgSlug]/_components/permission';
import type { IncidentDetail } from '@/lib/incidents/view';
import { listIncidents } from '@/lib/insight/incidents/list-incidents';
import type { TenantScope } from '@/lib/platform/db/scope';
import { visibleText } from '@/lib/platform/format/visible-text';
import { IncidentActs, type IncidentActsProps } from './incident-acts';

interface IncidentActionsProps {
  scope: TenantScope;
  incident: IncidentActsProps['incident'] & Pick<IncidentDetail, 'project'>;
}

/** As many as one can be merged into. */
const OTHERS = 50;

/** What the reader can do with an incident. */
export async function IncidentActions({ scope, incident }: IncidentActionsProps) {
  const { id, number, project, state, acknowledgedBy, silencedBy } = incident;
  if (state === 'resolved') return null;
  const refusal = await refusalOf(scope, 'operator');
  const active = { state: 'active', project: project.id, limit: OTHERS } as const;
  const { data } = refusal === null ? await listIncidents(scope, active) : { data: [] };
  const others = data.filter((other) => other.id !== id);
  return (
    <IncidentActs
      organizationSlug={scope.organizationSlug}
      incident={{ id, number, state, acknowledgedBy, silencedBy }}
      refusal={refusal}
      others={others.map((other) => ({
        ...{ id: other.id, number: other.number },
        title: visibleText(other.title),
      }))}
    />
  );
}

interface ExportPostMortemProps {
  orgSlug: string;
  incident: Pick<IncidentDetail, 'id'>;
}

/** Downloads the incident as Markdown. */
export function ExportPostMortem({ orgSlug, incident }: ExportPostMortemProps) {
  const query = new URLSearchParams({ organization: orgSlug });
  return (
    <Button asChild>
      <a href={`/api/v1/incidents/${incident.id}/post-mortem?${query}`} download>
        <Download aria-hidden /> Export post-mortem
      </a>
    </Button>
  );
}
