import { chainEnded } from '@/lib/engine/domain-events';
import { afterCommit } from '@/lib/platform/db/raw';
import { subscribe } from '@/lib/platform/domain-events';
import { env } from '@/lib/platform/env';
import { logger } from '@/lib/platform/logger';
import type { Component } from '@/lib/platform/metrics/registry';
import { exportChains } from './open-telemetry';

/**
 * Exports each chain once it has ended, in the process that ended it and after the commit. Nothing waits
 * for it. A process that is killed in between loses that trace.
 */
export function subscribeTelemetry(component: Component): void {
  if (!env().openTelemetry?.exportsTraces) return;
  const chains = exportChains(component);
  subscribe(chainEnded, 'telemetry', async (db, scope, { chainId }) => {
    afterCommit(db, () => {
      if (!chains.add({ scope, chainId })) {
        logger.warn({ chainId }, 'trace not exported: too many wait');
      }
    });
    return [];
  });
}
