import { Prisma } from '@/generated/prisma/client';
import { queryRaw } from '@/lib/platform/db/raw';
import type { TenantDb } from '@/lib/platform/db/tenant-db';

/** In the order given; the definer function numbers and chains them. */
export async function appendAudit(db: TenantDb, entries: readonly object[]): Promise<void> {
  await queryRaw(db, Prisma.sql`select app.append_audit(${JSON.stringify(entries)}::jsonb)`);
}

export interface AuditVerdict {
  checked: number;
  /** Sequence number of the first entry that does not match, or null. */
  firstBad: number | null;
  /** False when the tail was cut off. */
  headMatches: boolean;
}

export async function verifyAudit(db: TenantDb): Promise<AuditVerdict> {
  const [row] = await queryRaw<{
    checked: bigint;
    first_bad: bigint | null;
    head_matches: boolean;
  }>(db, Prisma.sql`select * from app.verify_audit()`);
  if (!row) throw new Error('The audit log gave no answer.');
  return {
    checked: Number(row.checked),
    firstBad: row.first_bad === null ? null : Number(row.first_bad),
    headMatches: row.head_matches,
  };
}

/** The newest entry that comes before another one; 0 when there is none. */
export async function lastSeqBefore(db: TenantDb, seq: number | null): Promise<number> {
  const { _max } = await db.auditLog.aggregate({
    where: seq === null ? {} : { seq: { lt: seq } },
    _max: { seq: true },
  });
  return Number(_max.seq ?? 0);
}
