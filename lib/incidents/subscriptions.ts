/**
 * The domain events that incidents subscribe to. Every process that runs the engine, or takes in check
 * results or alerts, calls this when it starts.
 */
import { alertsChanged } from '@/lib/alerts/domain-events';
import { chainEnded } from '@/lib/engine/domain-events';
import { servicesChanged, servicesRemoved } from '@/lib/monitoring/domain-events';
import { subscribe } from '@/lib/platform/domain-events';
import { recordChainEnd } from './chains';
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
}
