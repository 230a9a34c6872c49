import { chainEnded } from '@/lib/engine/domain-events';
import { incidentChanged } from '@/lib/incidents/domain-events';
import { getShownIncident } from '@/lib/incidents/incident-rows';
import { acknowledgementDelay, incidentChanges } from '@/lib/incidents/metrics';
import { afterCommit } from '@/lib/platform/db/raw';
import { subscribe } from '@/lib/platform/domain-events';
import { logger } from '@/lib/platform/logger';
import type { EndedChain } from './traces/export-chain';
import type { ExportQueue } from './traces/export-queue';

/** Counts changes of incidents once they are committed. */
export function subscribeMetrics(): void {
  subscribe(incidentChanged, 'telemetry', async (db, _scope, { incidentId, notice }, now) => {
    afterCommit(db, () => incidentChanges.add({ change: notice }));
    if (notice !== 'acknowledged') return [];
    const { openedAt, lastReopenedAt } = await getShownIncident(db, incidentId);
    const seconds = (now.getTime() - (lastReopenedAt ?? openedAt).getTime()) / 1_000;
    afterCommit(db, () => acknowledgementDelay.observe({}, seconds));
    return [];
  });
}

/**
 * Exports each chain once it has ended, in the process that ended it and after the commit. Nothing waits
 * for it. A process that is killed in between loses that trace.
 */
export function subscribeTraces(chains: ExportQueue<EndedChain>): void {
  subscribe(chainEnded, 'telemetry', async (db, scope, { chainId }) => {
    afterCommit(db, () => {
      if (!chains.add({ scope, chainId })) {
        logger.warn({ chainId }, 'trace not exported: too many wait');
      }
    });
    return [];
  });
}
