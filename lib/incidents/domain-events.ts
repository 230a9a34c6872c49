/** Domain events of incidents. Ids are UUIDs. */

import { domainEvent } from '@/lib/platform/domain-events';
import type { IncidentNotice } from './states';

/** Something happened that others learn of. */
export const incidentChanged = domainEvent<{
  incidentId: string;
  notice: IncidentNotice;
  /** The incident's number of this change: rises with each. */
  sequence: number;
  /** It needs a human, too, which people are notified of at the same time. */
  isNeedAnnounced?: boolean;
  /** Those who aren't notified of verifications know already that it needs a human. */
  isNeedKnown?: boolean;
  /** Whether it is silenced: people get no message, other systems do. */
  isSilent: boolean;
}>('incident.changed');
