import { type RawBuilder, sql } from 'kysely';
import { beforeCommit } from '@/lib/platform/db/raw';
import type { OrganizationId } from '@/lib/platform/db/scope';
import { sqlChanges } from '@/lib/platform/db/sql';
import type { TenantDb } from '@/lib/platform/db/tenant-db';
import { takeSessionNumberSql } from '@/lib/projects/project-rows';
import { chainWaitingSql } from '../../../status-data';
import type { WaitReason } from '../../../statuses';

/** Another attempt. Its chain waits, with the reason. */
export interface NextAttempt {
  attemptId: string;
  projectId: string;
  chainId: string;
  sessionId: string;
  number: number;
  purpose: 'tier' | 'reconcile' | 'continue' | 'approval';
  poolId: string;
  requiredRunnerId: string | null;
  waitUntil: Date;
  onlyMode: 'handoff' | null;
  notBefore: Date | null;
  statusText: string;
  waitReason: WaitReason;
}

/** The next tier's session, which begins with the attempt. */
export interface NextSession {
  parentSessionId: string;
  tier: 2 | 3;
  model: string;
  projectVersion: number;
}

/**
 * Writes the next attempt in one statement. `session` is the new session of the attempt; null if
 * its session exists.
 */
export function insertNext(
  db: TenantDb,
  next: NextAttempt,
  session: NextSession | null,
  now: Date,
): void {
  const made = session ? sql`${sessionSql(db.organizationId, next, session, now)}, ` : sql``;
  const write = sqlChanges(db)`with ${made}queued as (
        insert into attempt (id, organization_id, project_id, session_id, number, purpose, pool_id,
          required_runner_id, wait_until, only_mode, not_before, queued_at)
        values (${next.attemptId}::uuid, ${db.organizationId}::uuid, ${next.projectId}::uuid, ${next.sessionId}::uuid,
          ${next.number}, ${next.purpose}, ${next.poolId}::uuid, ${next.requiredRunnerId}::uuid,
          ${next.waitUntil}::timestamptz, ${next.onlyMode}, ${next.notBefore}::timestamptz, ${now}::timestamptz)
      )
      ${chainWaitingSql(db.organizationId, next.chainId, next)}`;
  beforeCommit(db, write);
}

function sessionSql(
  organizationId: OrganizationId,
  next: NextAttempt,
  session: NextSession,
  now: Date,
): RawBuilder<unknown> {
  return sql`numbered as (
        ${takeSessionNumberSql(organizationId, next.projectId)}
      ), made as (
        insert into session (id, organization_id, project_id, chain_id, number, tier, parent_session_id,
          status_text, wait_reason, model, project_version, created_at)
        select ${next.sessionId}::uuid, ${organizationId}::uuid, ${next.projectId}::uuid, ${next.chainId}::uuid,
          last_session_number, ${session.tier}, ${session.parentSessionId}::uuid, 'Waiting for a runner.', 'runner',
          ${session.model}, ${session.projectVersion}, ${now}::timestamptz
        from numbered
      )`;
}
