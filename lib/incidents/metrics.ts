/** What incidents counts: one entry for each metric. */

import { counter, histogram } from '@/lib/platform/metrics/instruments';
import { INCIDENT_NOTICES } from './states';

export const incidentChanges = counter({
  name: 'tierwatch_incident_changes_total',
  help: 'Changes of incidents that people are notified of. An incident that is muted is opened when it is announced.',
  labels: { change: INCIDENT_NOTICES },
});

export const acknowledgementDelay = histogram({
  name: 'tierwatch_incident_acknowledgement_seconds',
  help: 'How long an incident was open until a person acknowledged it, since it was opened or last reopened.',
  labels: {},
  buckets: [60, 300, 900, 1_800, 3_600, 7_200, 14_400, 43_200, 86_400],
});
