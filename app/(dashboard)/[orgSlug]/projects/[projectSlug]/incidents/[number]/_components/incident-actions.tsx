import { NeedsRole } from '@/app/(dashboard)/[orgSlug]/_components/needs-role';
import { refusalOf } from '@/app/(dashboard)/[orgSlug]/_components/permission';
import type { IncidentDetail } from '@/lib/insight/incidents/schema';
import type { TenantScope } from '@/lib/platform/db/scope';
import { AcknowledgeIncident, EndIncidentAcknowledgement } from './acknowledge-incident';
import { ResolveIncident } from './resolve-incident';

interface IncidentActionsProps {
  scope: TenantScope;
  incident: Pick<IncidentDetail, 'id' | 'number' | 'state' | 'acknowledgedBy'>;
}

/** Acknowledge what nobody is working on, or say that it is over. */
export async function IncidentActions({ scope, incident }: IncidentActionsProps) {
  const { id, number, state, acknowledgedBy } = incident;
  if (state === 'resolved') return null;
  const refusal = await refusalOf(scope, 'operator');
  const shared = { organizationSlug: scope.organizationSlug, incident: { id, number } };
  return (
    <>
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
