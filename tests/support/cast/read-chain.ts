import type { TenantScope } from '@/lib/platform/db/scope';
import { inTransaction } from '@/lib/platform/db/tenant-db';

/** Everything that is stored about a chain, in order. */
export function readChain(scope: TenantScope, chainId: string) {
  return inTransaction(scope, async (db) => {
    // First: whatever ended the chain is then in the rows that are read after it.
    const chain = await db.chain.findFirstOrThrow({ where: { id: chainId } });
    const sessions = await db.session.findMany({ where: { chainId }, orderBy: { number: 'asc' } });
    const ids = sessions.map((session) => session.id);
    return {
      chain,
      sessions,
      attempts: await db.attempt.findMany({
        where: { sessionId: { in: ids } },
        orderBy: [{ queuedAt: 'asc' }, { number: 'asc' }],
      }),
      decisions: await db.decision.findMany({ where: { chainId }, orderBy: { id: 'asc' } }),
      ledger: await db.ledgerEntry.findMany({ where: { chainId }, orderBy: { id: 'asc' } }),
      handoffs: await db.handoff.findMany({ where: { chainId }, orderBy: { toTier: 'asc' } }),
      pointers: await db.pointer.findMany({
        where: { sessionId: { in: ids } },
        orderBy: { id: 'asc' },
      }),
      events: await db.projectEvent.findMany({ where: { chainId }, orderBy: { id: 'asc' } }),
      usage: await db.dailyUsage.findMany({ orderBy: [{ tier: 'asc' }, { model: 'asc' }] }),
    };
  });
}
