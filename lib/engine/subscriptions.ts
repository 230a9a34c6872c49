/**
 * The domain events that the engine subscribes to. Every process that runs the fleet's services
 * calls this when it starts.
 */

import { runnerRevoked } from '@/lib/fleet/domain-events';
import { subscribe } from '@/lib/platform/domain-events';
import { shortenLeases } from './attempt/data';

export function subscribeEngine(): void {
  subscribe(runnerRevoked, 'engine', async (db, _scope, { runnerId, stopsUntil }) => {
    await shortenLeases(db, runnerId, stopsUntil);
    return [];
  });
}
