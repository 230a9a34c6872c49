/**
 * The domain events that deliveries subscribes to. Every process that runs the engine calls this
 * when it starts.
 */

import {
  approvalDecided,
  approvalExpired,
  approvalRequested,
  budgetsCrossed,
  chainEnded,
  chainEscalated,
  chainStarted,
} from '@/lib/engine/domain-events';
import { runnerKeyShared, runnerWentOffline } from '@/lib/fleet/domain-events';
import { incidentChanged } from '@/lib/incidents/domain-events';
import { checksBlocked, checksResumed } from '@/lib/monitoring/domain-events';
import type { TenantDb } from '@/lib/platform/db/tenant-db';
import { type DomainEvent, subscribe } from '@/lib/platform/domain-events';
import { pendingJob } from '@/lib/platform/queue/enqueue';
import { deliverWebhookJob } from '@/lib/platform/queue/jobs';
import {
  announceBudgets,
  announceEnd,
  announceEscalation,
  announceOffline,
  announceSharedKey,
  announceStart,
} from './announce';
import { announceApproval } from './announce-approval';
import { announceBlockedChecks, announceResumedChecks } from './announce-checks';
import { announceIncident } from './announce-incident';

export function subscribeDeliveries(): void {
  deliverAt(chainStarted, announceStart);
  deliverAt(chainEscalated, announceEscalation);
  deliverAt(chainEnded, announceEnd);
  deliverAt(approvalRequested, announceApproval('approval.requested'));
  deliverAt(approvalDecided, announceApproval('approval.decided'));
  deliverAt(approvalExpired, announceApproval('approval.expired'));
  deliverAt(incidentChanged, announceIncident);
  deliverAt(budgetsCrossed, announceBudgets);
  deliverAt(runnerWentOffline, announceOffline);
  deliverAt(runnerKeyShared, announceSharedKey);
  deliverAt(checksBlocked, announceBlockedChecks);
  deliverAt(checksResumed, announceResumedChecks);
}

/** @param announce writes deliveries for an event, and returns their UUIDs */
function deliverAt<Payload>(
  event: DomainEvent<Payload>,
  announce: (db: TenantDb, payload: Payload, now: Date) => Promise<string[]>,
): void {
  subscribe(event, 'deliveries', async (db, { organizationId }, payload, now) => {
    const deliveryIds = await announce(db, payload, now);
    return deliveryIds.map((id) =>
      pendingJob(deliverWebhookJob, { organizationId, deliveryId: id }),
    );
  });
}
