import { sql } from 'kysely';
import { v7 as uuidv7 } from 'uuid';
import { beforeCommit } from '@/lib/platform/db/raw';
import { insertRows } from '@/lib/platform/db/rows';
import { changedBySystem, sqlChanges, sqlRows } from '@/lib/platform/db/sql';
import type { TenantDb } from '@/lib/platform/db/tenant-db';
import { NotFoundError } from '@/lib/platform/errors';
import type { CheckpointContent } from '@/lib/protocol/checkpoint';
import {
  RECOVERY_WINDOW_HOURS,
  type RecoveredCheckpoint,
  type RecoveryCandidate,
} from './recovery';

interface NewCheckpoint {
  /** Number of the event in its attempt's stream, so that it is stored once. */
  attemptSeq: number;
  at: Date;
  content: CheckpointContent;
}

/** Stores new checkpoints, and deletes the session's oldest ones above its limit. */
export function storeCheckpoints(
  db: TenantDb,
  attempt: { organizationId: string; projectId: string; sessionId: string; id: string },
  about: { harness: string; isLate: boolean; maxPerSession: number },
  checkpoints: readonly NewCheckpoint[],
): void {
  const { organizationId, projectId, sessionId } = attempt;
  const rows = checkpoints.map(({ attemptSeq, at, content }) => ({
    id: uuidv7(),
    organizationId,
    projectId,
    sessionId,
    attemptId: attempt.id,
    attemptSeq,
    harness: about.harness,
    projectPath: content.projectPath,
    projectPathNormalized: content.projectPathNormalized,
    trigger: content.trigger,
    digest: content.digest,
    counts: content.counts,
    recentQueries: JSON.stringify(content.queries),
    remembered: JSON.stringify(content.remembered),
    hookSessionId: content.hookSessionId,
    at,
    isLate: about.isLate,
  }));
  beforeCommit(db, insertRows(db, 'sessionCheckpoints', rows, { skipsDuplicates: true }));
  // Late ones are deleted first: recovery skips them, and they must not displace those that it
  // uses.
  const trim = sqlChanges(db)`delete from session_checkpoints where id in (
        select id from session_checkpoints
        where organization_id = ${organizationId}::uuid and session_id = ${sessionId}::uuid
        order by is_late, seq desc offset ${about.maxPerSession}
      )`;
  beforeCommit(db, trim);
}

/** Returns the newest checkpoint of a session, unless an operator discarded it. */
export async function findNewestCheckpoint(
  db: TenantDb,
  sessionId: string,
): Promise<{ digest: string; at: Date } | null> {
  const [row] = await sqlRows(db)<{
    digest: string;
    at: Date;
  }>`select c.digest, c.at from session_checkpoints c
      join session s on s.organization_id = c.organization_id and s.id = c.session_id
      where c.organization_id = ${db.organizationId}::uuid and c.session_id = ${sessionId}::uuid
        and not c.is_late and s.discarded_at is null
      order by c.seq desc limit 1`;
  return row ?? null;
}

type StoredCandidate = RecoveryCandidate & RecoveredCheckpoint & { sessionId: string };

/** How many checkpoints and sessions of a path are searched for one to recover from. */
const LOOKED_AT = { checkpoints: 1_000, sessions: 20 };

/**
 * Returns the checkpoints that a start could recover from, the newest of each session.
 * `chooseRecovery` chooses one of them.
 */
export async function listRecoveryCandidates(
  db: TenantDb,
  start: {
    projectId: string;
    sessionId: string;
    parentSessionId: string | null;
    projectPathNormalized: string | null;
  },
  now: Date,
): Promise<StoredCandidate[]> {
  const since = new Date(now.getTime() - RECOVERY_WINDOW_HOURS * 3_600_000);
  const rows = await sqlRows(db)<{
    id: string;
    sessionId: string;
    path: string;
    isOver: boolean;
    isDiscarded: boolean;
    isLate: boolean;
    isTainted: boolean;
    createdAt: Date;
    at: Date;
    seq: bigint;
    trigger: string;
    digest: string;
    remembered: string[];
    label: string;
  }>`with recent as (
        select distinct on (session_id) id from (
          select id, session_id, seq, created_at from session_checkpoints
          where organization_id = ${db.organizationId}::uuid and project_id = ${start.projectId}::uuid
            and project_path_normalized = ${start.projectPathNormalized} and not is_late
          order by seq desc limit ${LOOKED_AT.checkpoints}
        ) newest
        where created_at >= ${since}::timestamptz
        order by session_id desc, seq desc limit ${LOOKED_AT.sessions}
      ), own as (
        select distinct on (session_id) id from session_checkpoints
        where organization_id = ${db.organizationId}::uuid and not is_late
          and session_id in (${start.sessionId}::uuid, ${start.parentSessionId}::uuid)
        order by session_id desc, seq desc
      )
      select c.id, c.session_id as "sessionId", c.project_path_normalized as path,
        s.ended_at is not null as "isOver", s.discarded_at is not null as "isDiscarded",
        c.is_late as "isLate", a.is_tainted as "isTainted", c.created_at as "createdAt", c.at, c.seq, c.trigger, c.digest, c.remembered,
        '#' || s.number || '.' || a.number as label
      from session_checkpoints c
      join session s on s.organization_id = c.organization_id and s.id = c.session_id
      join attempt a on a.organization_id = c.organization_id and a.id = c.attempt_id
      where c.organization_id = ${db.organizationId}::uuid and s.kind = 'tier'
        and (c.id in (select id from recent) or c.id in (select id from own))`;
  return rows.map((row) => {
    const isOwn = row.sessionId === start.sessionId;
    const lineage = isOwn
      ? 'attempt'
      : row.sessionId === start.parentSessionId
        ? 'parent'
        : 'project';
    return {
      checkpointId: row.id,
      sessionId: row.sessionId,
      lineage,
      projectPathNormalized: row.path,
      isOver: isOwn || row.isOver,
      isDiscarded: row.isDiscarded,
      isLate: row.isLate,
      isTainted: row.isTainted,
      createdAt: row.createdAt,
      at: row.at,
      seq: BigInt(row.seq),
      trigger: row.trigger as RecoveredCheckpoint['trigger'],
      digest: row.digest,
      remembered: row.remembered,
      label: row.label,
    };
  });
}

interface RecallableRow {
  label: string;
  trigger: string;
  digest: string;
  remembered: string[];
  at: Date;
  /** It was written in a conversation with text of other systems. */
  isTainted: boolean;
}

/**
 * Returns the checkpoints of the attempt's own session, of ended tiers of its project and, for a
 * turn, of earlier turns of its conversation, newest first.
 */
export function listRecallable(
  db: TenantDb,
  attempt: { projectId: string; sessionId: string },
  limit: number,
  allowsTainted: boolean,
): Promise<RecallableRow[]> {
  return sqlRows(
    db,
  )`select '#' || s.number || '.' || a.number as label, c.trigger, c.digest, c.remembered, c.at,
        a.is_tainted as "isTainted"
      from session_checkpoints c
      join session s on s.organization_id = c.organization_id and s.id = c.session_id
      join attempt a on a.organization_id = c.organization_id and a.id = c.attempt_id
      where c.organization_id = ${db.organizationId}::uuid and c.project_id = ${attempt.projectId}::uuid
        and not c.is_late and s.discarded_at is null
        and (${allowsTainted} or not a.is_tainted or s.id = ${attempt.sessionId}::uuid)
        and (s.id = ${attempt.sessionId}::uuid or s.ended_at is not null and (s.kind = 'tier' or exists (
          select 1 from turn own
          join turn earlier on earlier.organization_id = own.organization_id
            and earlier.conversation_id = own.conversation_id and earlier.cut_at is null
          where own.organization_id = s.organization_id and own.session_id = ${attempt.sessionId}::uuid
            and earlier.session_id = s.id)))
      order by c.seq desc limit ${limit}`;
}

/**
 * Deletes checkpoints by the retention of each project, even if it no longer writes any.
 *
 * @returns how many; fewer than `limit` if none are left
 */
export function deleteCheckpoints(
  now: Date,
  { leastDays, defaultDays }: { leastDays: number; defaultDays: number },
  limit: number,
): Promise<number> {
  return changedBySystem(
    'retention of checkpoints',
    sql`delete from session_checkpoints where ctid in (
      select c.ctid from session_checkpoints c
      join project p on p.organization_id = c.organization_id and p.id = c.project_id
      join project_version v on v.organization_id = p.organization_id and v.project_id = p.id
        and v.version = p.current_version
      where c.created_at < ${now}::timestamptz - make_interval(days => ${leastDays}::int)
        and c.created_at < ${now}::timestamptz
          - make_interval(days => coalesce((v.config #>> '{checkpoints,retentionDays}')::int, ${defaultDays}::int))
      limit ${limit})`,
  );
}

/** Returns the attempt of a session that has not ended; null if all have. */
export function findLiveAttempt(db: TenantDb, sessionId: string): Promise<{ id: string } | null> {
  return db.attempt.findFirst({
    where: { sessionId, status: { not: 'ended' } },
    select: { id: true },
  });
}

export function findRunner(
  db: TenantDb,
  runnerId: string,
): Promise<{ name: string; capabilities: unknown } | null> {
  return db.runner.findFirst({
    where: { id: runnerId },
    select: { name: true, capabilities: true },
  });
}

export async function markRequested(db: TenantDb, attemptId: string, now: Date): Promise<void> {
  await db.attempt.updateMany({
    where: { id: attemptId, checkpointRequestedAt: null },
    data: { checkpointRequestedAt: now },
  });
}

/**
 * Marks a session's checkpoints as discarded.
 *
 * @returns false if they were already
 */
export async function markDiscarded(
  db: TenantDb,
  sessionId: string,
  by: { at: Date; label: string },
): Promise<boolean> {
  const { count } = await db.session.updateMany({
    where: { id: sessionId, discardedAt: null },
    data: { discardedAt: by.at, discardedBy: by.label },
  });
  return count > 0;
}

export interface SessionState {
  id: string;
  number: number;
  projectId: string;
  discardedAt: Date | null;
  discardedBy: string | null;
}

/**
 * Returns a session of a chain, by UUID.
 *
 * @throws NotFoundError also for a turn of a conversation, which has no checkpoints
 */
export async function getChainSession(db: TenantDb, id: string): Promise<SessionState> {
  const row = await db.session.findFirst({
    where: { id, chainId: { not: null } },
    select: { id: true, number: true, projectId: true, discardedAt: true, discardedBy: true },
  });
  if (!row) throw new NotFoundError();
  return row;
}
