import { createHmac } from 'node:crypto';
import { deriveKey } from '@/lib/platform/crypto/secret-box';
import type { AccountDb } from '@/lib/platform/db/account-db';
import { systemDb } from '@/lib/platform/db/global-db';
import { lastBeforeCommit } from '@/lib/platform/db/raw';
import { sqlRows } from '@/lib/platform/db/sql';
import type { TenantDb } from '@/lib/platform/db/tenant-db';
import { env } from '@/lib/platform/env';
import { actionsOf } from './actions';
import type { AuditFilter } from './schema';

/** Entries of transactions that are still open. */
const open = new WeakMap<TenantDb, object[]>();

/**
 * Appends entries in the given order, in one statement right before the commit, since it holds the
 * head of the organization's log until then. The definer function numbers and chains them.
 */
export function appendAudit(db: TenantDb, entries: readonly object[]): void {
  const before = open.get(db);
  if (before) {
    before.push(...entries);
    return;
  }
  const all = [...entries];
  open.set(db, all);
  lastBeforeCommit(db, () => {
    const json = JSON.stringify(all);
    const proof = entryProof('organization', db.organizationId, json);
    return sqlRows(db)`select app.append_audit(${json}, ${proof})`;
  });
}

/**
 * Appends entries to the log of each organization of a person, by UUID. Last before the commit: it
 * holds the heads of the logs until then.
 */
export async function appendAccountAudit(
  db: AccountDb,
  userId: string,
  entries: readonly object[],
): Promise<void> {
  const json = JSON.stringify(entries);
  const proof = entryProof('person', userId, json);
  await sqlRows(db)`select app.append_account_audit(${userId}::uuid, ${json}, ${proof})`;
}

interface AuditVerdict {
  checked: number;
  /** Sequence number of the first entry that does not match, or null. */
  firstBad: number | null;
  /** False when the tail was cut off. */
  headMatches: boolean;
}

export async function verifyAudit(db: TenantDb): Promise<AuditVerdict> {
  const [row] = await sqlRows(db)<{
    checked: bigint;
    firstBad: bigint | null;
    headMatches: boolean;
  }>`select * from app.verify_audit()`;
  if (!row) throw new Error('The audit log gave no answer.');
  return {
    checked: Number(row.checked),
    firstBad: row.firstBad === null ? null : Number(row.firstBad),
    headMatches: row.headMatches,
  };
}

/** An entry by number, with its hash in hex. */
export interface AuditPoint {
  seq: number;
  hash: string;
}

function pointOf({ seq, hash }: { seq: bigint; hash: Uint8Array }): AuditPoint {
  return { seq: Number(seq), hash: Buffer.from(hash).toString('hex') };
}

/** Returns the newest entry of every organization that has one. */
export async function listAuditHeads(): Promise<(AuditPoint & { organizationId: string })[]> {
  const db = systemDb('anchors of audit logs');
  const heads = await db.auditHead.findMany({ where: { seq: { gt: 0 } } });
  return heads.map((head) => ({ organizationId: head.organizationId, ...pointOf(head) }));
}

export async function findAuditHead(db: TenantDb): Promise<AuditPoint | null> {
  const head = await db.auditHead.findFirst({ where: { seq: { gt: 0 } } });
  return head && pointOf(head);
}

/** Returns those of these entries that the log holds. */
export async function listAuditPoints(
  db: TenantDb,
  seqs: readonly number[],
): Promise<AuditPoint[]> {
  const rows = await db.auditLog.findMany({
    where: { seq: { in: seqs.map(BigInt) } },
    select: { seq: true, hash: true },
  });
  return rows.map(pointOf);
}

/** Returns the sequence number of the entry before another one; 0 if there is none. */
export async function lastSeqBefore(db: TenantDb, seq: number | null): Promise<number> {
  const { _max } = await db.auditLog.aggregate({
    where: seq === null ? {} : { seq: { lt: seq } },
    _max: { seq: true },
  });
  return Number(_max.seq ?? 0);
}

interface Position {
  limit: number;
  /** Sequence numbers, not included. */
  before?: number | null;
  after?: number | null;
}

/** `limit + 1` of them, newest first; with `after` the ones right above it. `project` is an id. */
export async function listAuditRows(db: TenantDb, wanted: AuditFilter, position: Position) {
  const isUp = typeof position.after === 'number';
  const rows = await db.auditLog.findMany({
    where: {
      ...(wanted.actor ? { actor: wanted.actor } : {}),
      ...(wanted.action ? { action: { in: actionsOf(wanted.action) } } : {}),
      ...(wanted.project ? { project: wanted.project } : {}),
      ...(wanted.from || wanted.to
        ? { at: { gte: moment(wanted.from), lt: moment(wanted.to) } }
        : {}),
      ...(position.before ? { seq: { lt: position.before } } : {}),
      ...(isUp ? { seq: { gt: position.after ?? 0 } } : {}),
    },
    orderBy: { seq: isUp ? 'asc' : 'desc' },
    take: position.limit + 1,
  });
  return isUp ? rows.reverse() : rows;
}
export type AuditRow = Awaited<ReturnType<typeof listAuditRows>>[number];

function moment(text: string | undefined): Date | undefined {
  return text ? new Date(text) : undefined;
}

const MAX_ACTORS = 200;

/**
 * Returns every actor with their latest name. Steps from actor to actor along the index, so the
 * time depends on the number of actors, not of entries.
 */
export function listActors(db: TenantDb): Promise<{ actor: string; label: string | null }[]> {
  return sqlRows(db)`
      with recursive known as (
        (select min(actor) as actor from audit_log where organization_id = app.organization_id())
        union all
        select (select min(next.actor) from audit_log next
          where next.organization_id = app.organization_id() and next.actor > known.actor)
        from known where known.actor is not null
      )
      select known.actor, (select entry.detail ->> 'actorLabel' from audit_log entry
        where entry.organization_id = app.organization_id() and entry.actor = known.actor
        order by entry.seq desc limit 1) as label
      from known where known.actor is not null limit ${MAX_ACTORS}`;
}

/** Projects by name, those that were deleted last; `id` is the UUID. */
export async function listAuditedProjects(
  db: TenantDb,
): Promise<{ id: string; name: string; slug: string; isDeleted: boolean }[]> {
  const live = await db.project.findMany({
    select: { id: true, name: true, slug: true },
    orderBy: { name: 'asc' },
  });
  const deleted = await db.deletedProject.findMany({
    select: { projectId: true, name: true, slug: true },
    orderBy: { name: 'asc' },
  });
  return [
    ...live.map((project) => ({ ...project, isDeleted: false })),
    ...deleted.map(({ projectId, ...rest }) => ({ id: projectId, ...rest, isDeleted: true })),
  ];
}

/**
 * Returns the proof that the database requires with entries of the audit log: HMAC-SHA256 by a key
 * made from the secret key, so a login to the database alone can't append any.
 *
 * @param subject UUID of the organization, or of the person for entries in all of their logs
 * @param entries the JSON that is appended, byte for byte
 */
export function entryProof(
  kind: 'organization' | 'person',
  subject: string,
  entries: string,
): Buffer {
  const key = deriveKey(env().secretKey, 'audit-entries');
  return createHmac('sha256', key).update(`${kind}\n${subject}\n${entries}`, 'utf8').digest();
}
