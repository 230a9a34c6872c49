/**
 * The domain events that incidents subscribe to. Every process that runs the engine, takes in check
 * results or alerts, or lets people act on chains, calls this when it starts.
 */
import { alertsChanged } from '@/lib/alerts/domain-events';
import {
  chainAcknowledged,
  chainAcknowledgementEnded,
  chainEnded,
} from '@/lib/engine/domain-events';
import { servicesChanged, servicesRemoved } from '@/lib/monitoring/domain-events';
import { subscribe } from '@/lib/platform/domain-events';
import { recordChainEnd } from './chains';
import { acknowledgeOfChain, endAcknowledgementOfChain } from './manage-incidents';
import { recordAlertChanges } from './record-alerts';
import { recordRemovals, recordServiceChanges } from './record-events';

export function subscribeIncidents(): void {
  subscribe(servicesChanged, 'incidents', (db, scope, { projectId, changes }, now) =>
    recordServiceChanges(db, scope, projectId, changes, now),
  );
  subscribe(servicesRemoved, 'incidents', recordRemovals);
  subscribe(alertsChanged, 'incidents', recordAlertChanges);
  subscribe(chainEnded, 'incidents', (db, scope, { chainId }, now) =>
    recordChainEnd(db, scope, chainId, now),
  );
  subscribe(chainAcknowledged, 'incidents', acknowledgeOfChain);
  subscribe(chainAcknowledgementEnded, 'incidents', endAcknowledgementOfChain);
}
