import { chainEnded } from '@/lib/engine/domain-events';
import { afterCommit } from '@/lib/platform/db/raw';
import { subscribe } from '@/lib/platform/domain-events';
import { logger } from '@/lib/platform/logger';
import type { EndedChain } from './traces/export-chain';
import type { ExportQueue } from './traces/export-queue';

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
