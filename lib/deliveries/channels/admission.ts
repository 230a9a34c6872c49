/** Whether a message may be sent to its channel now, from the rows of the claim's transaction. */

import type { TenantDb } from '@/lib/platform/db/tenant-db';
import { messageSchema } from '../message';
import type { DeliveryRecord } from '../outbox/data';
import type { Prepared } from '../outbox/transport';
import { PAGED_EVENT } from '../paged-event';
import { findIncidentState, hasLaterMessage, incidentOf, isUnheardOf } from './admission-data';
import { type ChannelRow, quietHoursOf } from './data';
import { type Admission, admitMessage, isEndOfIncident, quietUntil } from './quiet-hours';

/** @returns what happens to the delivery instead of being sent; null: send it */
export async function admit(
  db: TenantDb,
  channel: ChannelRow,
  delivery: DeliveryRecord,
  now: Date,
): Promise<Extract<Prepared, { kind: 'cancelled' | 'held' }> | null> {
  const { eventType } = delivery;
  const quiet = quietHoursOf(channel);
  const wasHeld = delivery.heldAt !== null;
  const isEnd = isEndOfIncident(eventType);
  if (!quiet && !wasHeld && !isEnd && eventType !== PAGED_EVENT) return null;
  const until = quietUntil(quiet, now);
  const isOfQuietHours = quietUntil(quiet, delivery.createdAt) !== null;
  const incidentId = incidentOf(delivery);
  const incident = incidentId ? await findIncidentState(db, incidentId) : null;
  const { tone, alert } = messageSchema.parse(JSON.parse(delivery.body));
  const admission = admitMessage(
    {
      ...{ eventType, tone, alert: alert ?? null, alertsOnly: channel.alertsOnly },
      ...{ wasHeld, isOfQuietHours },
      incident,
      isSilenced: incident !== null && incident.silencedBy !== null,
      hasLater: (wasHeld || isOfQuietHours) && (await hasLaterMessage(db, delivery)),
      isUnheardOf: isEnd && (await isUnheardOf(db, delivery)),
    },
    until,
  );
  return asPrepared(admission, incidentId);
}

function asPrepared(admission: Admission, incidentId: string | null) {
  switch (admission.kind) {
    case 'send':
      return null;
    case 'cancel':
      return { kind: 'cancelled' } as const;
    case 'hold':
      return { kind: 'held', until: admission.until, incidentId } as const;
  }
}
