import { Download } from 'lucide-react';
import { Button } from '@/app/_components/ui/button';
import { NeedsRole } from '@/app/(dashboard)/[orgSlug]/_components/needs-role';
import { refusalOf } from '@/app/(dashboard)/[orgSlug]/_components/permission';
import type { IncidentDetail } from '@/lib/incidents/view';
import { listIncidents } from '@/lib/insight/incidents/list-incidents';
import type { TenantScope } from '@/lib/platform/db/scope';
import { visibleText } from '@/lib/platform/format/visible-text';
import {
  AcknowledgeIncident,
  EndIncidentAcknowledgement,
  EndIncidentSilence,
  MergeIncident,
  ResolveIncident,
  SilenceIncident,
} from './incident-acts';

interface IncidentActionsProps {
  scope: TenantScope;
  incident: Pick<
    IncidentDetail,
    'id' | 'number' | 'project' | 'state' | 'acknowledgedBy' | 'silencedBy'
  >;
}

/** As many as one can be merged into. */
const OTHERS = 50;

/** Acknowledge what nobody is working on, silence or merge it, or say that it is over. */
export async function IncidentActions({ scope, incident }: IncidentActionsProps) {
  const { id, number, project, state, acknowledgedBy, silencedBy } = incident;
  if (state === 'resolved') return null;
  const refusal = await refusalOf(scope, 'operator');
  const shared = { organizationSlug: scope.organizationSlug, incident: { id, number } };
  const active = { state: 'active', project: project.id, limit: OTHERS } as const;
  const { data } = refusal === null ? await listIncidents(scope, active) : { data: [] };
  const others = data.filter((other) => other.id !== id);
  return (
    <>
      {others.length > 0 ? (
        <MergeIncident
          {...shared}
          others={others.map((other) => ({
            ...{ id: other.id, number: other.number },
            title: visibleText(other.title),
          }))}
        />
      ) : null}
      {refusal === null && silencedBy === null ? <SilenceIncident {...shared} /> : null}
      {refusal === null && silencedBy !== null ? <EndIncidentSilence {...shared} /> : null}
      <NeedsRole refusal={refusal} label="Resolve">
        <ResolveIncident {...shared} />
      </NeedsRole>
      {acknowledgedBy === null ? (
        <NeedsRole refusal={refusal} label="Acknowledge">
          <AcknowledgeIncident {...shared} />
        </NeedsRole>
      ) : (
        <NeedsRole refusal={refusal} label="Remove acknowledgement">
          <EndIncidentAcknowledgement {...shared} />
        </NeedsRole>
      )}
    </>
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
