/** Deletes rows of every organization whose retention has passed. */

import { Prisma } from '@/generated/prisma/client';
import { systemDb } from '@/lib/platform/db/global-db';
import { idSince } from '@/lib/platform/ids';

/**
 * Deletes events of sessions that ended before a time.
 *
 * @returns how many; fewer than `limit` if none are left
 */
export function deleteSessionEvents(endedBefore: Date, limit: number): Promise<number> {
  return systemDb('retention of session logs').$executeRaw(
    Prisma.sql`delete from session_event where ctid in (
      select e.ctid from session_event e join session s on s.organization_id = e.organization_id and s.id = e.session_id
      where s.ended_at < ${endedBefore}::timestamptz limit ${limit})`,
  );
}

/**
 * Deletes checkpoints by the retention of each project, even if it writes none any more.
 *
 * @returns how many; fewer than `limit` if none are left
 */
export function deleteCheckpoints(
  now: Date,
  { leastDays, defaultDays }: { leastDays: number; defaultDays: number },
  limit: number,
): Promise<number> {
  return systemDb('retention of checkpoints').$executeRaw(
    Prisma.sql`delete from session_checkpoints where ctid in (
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

/** Deletes finished deliveries created before a time, with their attempts. */
export function deleteDeliveries(madeBefore: Date, limit: number): Promise<number> {
  return systemDb('retention of deliveries').$executeRaw(
    Prisma.sql`delete from webhook_delivery where ctid in (
      select ctid from webhook_delivery
      where id < ${idSince(madeBefore)}::uuid
        and status in ('delivered', 'exhausted', 'refused', 'cancelled')
      limit ${limit})`,
  );
}

/** Deletes reset links that expired before a time, used or not. */
export async function deletePasswordResets(expiredBefore: Date): Promise<void> {
  const where = { expiresAt: { lt: expiredBefore } };
  await systemDb('retention of reset links').passwordReset.deleteMany({ where });
}

export async function deleteIdempotencyKeys(createdBefore: Date): Promise<void> {
  const where = { createdAt: { lt: createdBefore } };
  await systemDb('retention of idempotency keys').idempotencyKey.deleteMany({ where });
}

/** Deletes sign-ins that expired or were revoked before a time. */
export async function deleteAuthSessions(endedBefore: Date): Promise<void> {
  const where = {
    OR: [{ expiresAt: { lt: endedBefore } }, { revokedAt: { lt: endedBefore } }],
  };
  await systemDb('retention of sign-ins').authSession.deleteMany({ where });
}
