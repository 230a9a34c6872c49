import { Prisma } from '@/generated/prisma/client';
import { queryRaw } from '@/lib/platform/db/raw';
import { actorRef, type TenantScope } from '@/lib/platform/db/scope';
import type { TenantDb } from '@/lib/platform/db/tenant-db';
import { encodeId } from '@/lib/platform/ids';
import type { AuditAction } from './actions';

export interface AuditEntry {
  action: AuditAction;
  /** Typed id of what was acted on: `prj_…`. */
  target: string;
  /** UUID of the project it is about, where the target is not the project itself. */
  projectId?: string | null;
  /** Before and after, or the facts of a decision. Never a secret. */
  detail?: Record<string, unknown>;
}

/**
 * Appends in the same transaction as the change: no audit, no change. Call it once, last before
 * the commit, since it holds the organization's chain head until then.
 */
export async function recordAudit(
  db: TenantDb,
  scope: TenantScope,
  entries: AuditEntry | AuditEntry[],
): Promise<void> {
  const list = (Array.isArray(entries) ? entries : [entries]).map((entry) => ({
    actor: actorRef(scope.actor),
    action: entry.action,
    target: entry.target,
    detail: {
      actorLabel: scope.actor.label,
      ...(entry.projectId ? { project: encodeId('prj', entry.projectId) } : {}),
      ...entry.detail,
    },
  }));
  if (list.length === 0) return;
  await queryRaw(db, Prisma.sql`select app.append_audit(${JSON.stringify(list)}::jsonb)`);
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
