/**
 * The domain events that incidents subscribe to. Every process that runs the engine, takes in check
 * results or alerts, or lets people act on chains, calls this when it starts.
 */

import {
  chainAcknowledged,
  chainAcknowledgementEnded,
  chainEnded,
} from '@/lib/engine/domain-events';
import { servicesChanged, servicesRemoved } from '@/lib/monitoring/domain-events';
import { subscribe } from '@/lib/platform/domain-events';
import { signalsChanged } from '@/lib/signals/domain-events';
import { recordChainEnd } from './chains';
import { acknowledgeOfChain, endAcknowledgementOfChain } from './manage-incidents';
import { recordRemovals, recordServiceChanges } from './record-services';
import { recordSignalChanges } from './record-signals';

export function subscribeIncidents(): void {
  subscribe(servicesChanged, 'incidents', (db, scope, { projectId, changes }, now) =>
    recordServiceChanges(db, scope, projectId, changes, now),
  );
  subscribe(servicesRemoved, 'incidents', recordRemovals);
  subscribe(signalsChanged, 'incidents', recordSignalChanges);
  subscribe(chainEnded, 'incidents', (db, scope, { chainId }, now) =>
    recordChainEnd(db, scope, chainId, now),
  );
  subscribe(chainAcknowledged, 'incidents', acknowledgeOfChain);
  subscribe(chainAcknowledgementEnded, 'incidents', endAcknowledgementOfChain);
}
