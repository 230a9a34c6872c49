import type { TenantDb } from '@/lib/platform/db/tenant-db';
import { NotFoundError } from '@/lib/platform/errors';

export async function findLiveChain(db: TenantDb, projectId: string) {
  return db.chain.findFirst({ where: { projectId, status: { not: 'ended' } } });
}

export async function getChainRow(db: TenantDb, chainId: string) {
  const chain = await db.chain.findFirst({ where: { id: chainId } });
  if (!chain) throw new NotFoundError();
  return chain;
}
