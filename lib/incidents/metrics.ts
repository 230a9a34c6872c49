/** What incidents counts: one entry for each metric. */

import { counter } from '@/lib/platform/metrics/instruments';
import { INCIDENT_NOTICES } from './incident';

export const incidentChanges = counter({
  name: 'tierwatch_incident_changes_total',
  help: 'Changes of incidents that people are notified of. An incident that is muted is opened when it is announced.',
  labels: { change: INCIDENT_NOTICES },
});
