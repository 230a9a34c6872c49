import type { TenantScope } from '@/lib/platform/db/scope';
import { inSnapshot } from '@/lib/platform/db/tenant-db';
import { logger } from '@/lib/platform/logger';
import { findChainFacts } from './chain-data';
import { chainTrace } from './chain-trace';
import { type ExportQueue, exportQueue } from './export-queue';
import type { TraceExporter } from './span';

export interface EndedChain {
  scope: TenantScope;
  /** UUID. */
  chainId: string;
}

/** Chains that end faster than their traces are read; the rest is on their pages. */
const MAX_WAITING = 5_000;

/**
 * Returns the queue of chains whose traces are exported. A failure is logged and costs that trace, since
 * what happened is on the chain's page.
 */
export function chainQueue(exporter: () => Promise<TraceExporter>): ExportQueue<EndedChain> {
  return exportQueue(
    async (chain) => {
      try {
        await exportChain(chain, await exporter());
      } catch (error) {
        logger.warn({ chainId: chain.chainId, error: String(error) }, 'trace not exported');
      }
    },
    // At once: a chain is complete when it ends, and the process may end soon.
    async () => (await exporter()).flush(),
    MAX_WAITING,
  );
}

async function exportChain({ scope, chainId }: EndedChain, to: TraceExporter): Promise<void> {
  const facts = await inSnapshot(scope, (db) => findChainFacts(db, chainId));
  if (facts) to.exportTrace(chainTrace(facts));
}
