import type { Prisma, Seal, SealKey } from '@/generated/prisma/client';
import { deletePast } from '@/lib/platform/db/due';
import { systemDb } from '@/lib/platform/db/global-db';
import { sqlChanges, sqlRows } from '@/lib/platform/db/sql';
import { inTransaction, type TenantDb } from '@/lib/platform/db/tenant-db';
import type { SealFault, SealStorageName } from './schema';
import type { SealStorage } from './storage';

/** Returns the organization's key; creates it, with `wrap` for its id, if there is none. */
export async function ensureKey(
  db: TenantDb,
  id: string,
  wrap: (id: string) => string,
): Promise<SealKey> {
  const known = await db.sealKey.findFirst({});
  if (known) return known;
  // Two first uploads at once: one of the two keys stays.
  await db.sealKey.createMany({
    data: { id, organizationId: db.organizationId, wrappedKey: wrap(id) },
    skipDuplicates: true,
  });
  return db.sealKey.findFirstOrThrow({});
}

/** Returns the seal of an attempt whose upload was completed; null if there is none. */
export function findComplete(db: TenantDb, attemptId: string): Promise<Seal | null> {
  return db.seal.findFirst({ where: { attemptId, writtenAt: { not: null } } });
}

/** Returns a complete seal with the key it was made under; null if there is none. */
export function findOpenable(db: TenantDb, sealId: string, projectId: string, now: Date) {
  return db.seal.findFirst({
    where: { id: sealId, projectId, writtenAt: { not: null }, expiresAt: { gt: now }, fault: null },
    include: { key: true },
  });
}

export async function insertBegun(
  db: TenantDb,
  seal: Omit<Prisma.SealUncheckedCreateInput, 'storage'> & { storage: SealStorageName },
): Promise<void> {
  await db.seal.createMany({ data: seal });
}

export async function markComplete(db: TenantDb, sealId: string, now: Date): Promise<number> {
  const completed = await db.seal.updateMany({
    where: { id: sealId, writtenAt: null },
    data: { writtenAt: now },
  });
  return completed.count;
}

export async function deleteSeal(db: TenantDb, sealId: string): Promise<void> {
  await db.seal.deleteMany({ where: { id: sealId } });
}

/** Deletes an organization's oldest seals until at most so many bytes of them are stored. */
export async function deleteOldest(db: TenantDb, keptBytes: number): Promise<void> {
  await sqlChanges(
    db,
  )`delete from seal where organization_id = ${db.organizationId}::uuid and id in (
      select id from (
        select id, sum(stored_bytes) over (order by created_at desc, id desc) as total
        from seal where organization_id = ${db.organizationId}::uuid) newest
      where total > ${keptBytes}::bigint)`;
}

export async function storeFault(db: TenantDb, sealId: string, fault: SealFault): Promise<void> {
  await db.seal.updateMany({ where: { id: sealId }, data: { fault } });
}

/** Returns whether the conversation that an attempt belongs to was deleted. */
export async function isErased(db: TenantDb, sessionId: string): Promise<boolean> {
  const [row] = await sqlRows(db)<{ erased: boolean }>`select exists (
      select from turn t join conversation v
        on v.organization_id = t.organization_id and v.id = t.conversation_id
      where t.organization_id = ${db.organizationId}::uuid and t.session_id = ${sessionId}::uuid
        and v.deleted_at is not null) as erased`;
  return row?.erased ?? false;
}

/**
 * Deletes seals that have expired, and those whose upload was interrupted before `begunBefore`.
 *
 * @returns how many; fewer than `limit` if none are left
 */
export function deleteExpired(now: Date, begunBefore: Date, limit: number): Promise<number> {
  return deletePast(
    'retention of sealed conversations',
    'seal',
    ({ eb }) =>
      eb('expiresAt', '<=', now).or(eb('writtenAt', 'is', null).and('createdAt', '<', begunBefore)),
    limit,
  );
}

/** Returns ids of deleted seals whose objects are still stored outside of the database. */
export async function listRemovals(limit: number): Promise<string[]> {
  const rows = await systemDb('objects of deleted seals').sealRemoval.findMany({
    orderBy: { requestedAt: 'asc' },
    take: limit,
  });
  return rows.map(({ sealId }) => sealId);
}

export async function forgetRemoval(sealId: string): Promise<void> {
  await systemDb('objects of deleted seals').sealRemoval.deleteMany({ where: { sealId } });
}

/** Keeps seals in the database: a blob is deleted together with the row of its seal. */
export const postgresqlStorage: SealStorage = {
  name: 'postgresql',
  put({ organizationId, sealId }, content) {
    return inTransaction({ organizationId }, async (db) => {
      await db.sealBlob.createMany({
        data: { organizationId, sealId, content: new Uint8Array(content) },
      });
    });
  },
  get({ organizationId, sealId }) {
    return inTransaction({ organizationId }, async (db) => {
      const blob = await db.sealBlob.findFirst({ where: { sealId } });
      return blob && Buffer.from(blob.content);
    });
  },
};
