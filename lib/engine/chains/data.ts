import { Prisma } from '@/generated/prisma/client';
import { queryRaw } from '@/lib/platform/db/raw';
import type { OrganizationId } from '@/lib/platform/db/scope';
import type { TenantDb } from '@/lib/platform/db/tenant-db';
import { createChainsSql } from './new-chains/data';
import type { CreatedChain, NewChain } from './new-chains/new-chain';

export async function createChain(
  db: TenantDb,
  chain: NewChain,
  now: Date,
): Promise<CreatedChain | null> {
  const [created] = await queryRaw<CreatedChain>(db, createChainsSql([chain], now));
  return created ?? null;
}

/** Serializes starts of one project, so that each sees the chain of the one before. */
export async function lockProject(
  db: TenantDb,
  organizationId: OrganizationId,
  projectId: string,
): Promise<void> {
  await queryRaw(
    db,
    Prisma.sql`select id from project where organization_id = ${organizationId}::uuid and id = ${projectId}::uuid for update`,
  );
}

/** Marks a chain as acknowledged. Returns false if somebody else was faster. */
export async function markAcknowledged(
  db: TenantDb,
  chainId: string,
  by: { at: Date; label: string; note: string; endsAt: Date | null },
): Promise<boolean> {
  const { count } = await db.chain.updateMany({
    where: { id: chainId, acknowledgedAt: null },
    data: {
      acknowledgedAt: by.at,
      acknowledgedBy: by.label,
      acknowledgeNote: by.note,
      acknowledgementEndsAt: by.endsAt,
    },
  });
  return count === 1;
}

/** Removes an acknowledgement. Returns false if there is none. */
export async function clearAcknowledgement(db: TenantDb, chainId: string): Promise<boolean> {
  const { count } = await db.chain.updateMany({
    where: { id: chainId, acknowledgedAt: { not: null } },
    data: {
      acknowledgedAt: null,
      acknowledgedBy: null,
      acknowledgeNote: null,
      acknowledgementEndsAt: null,
    },
  });
  return count === 1;
}
