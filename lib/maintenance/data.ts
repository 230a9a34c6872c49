/** Rows of every organization that are kept for a time only. */
import { Prisma } from '@/generated/prisma/client';
import { systemDb } from '@/lib/db/global-db';

/** Of sessions that ended before. @returns how many; fewer than `limit` when none are left */
export function deleteSessionEvents(endedBefore: Date, limit: number): Promise<number> {
  return systemDb('retention of session logs').$executeRaw(
    Prisma.sql`delete from session_event where ctid in (
      select e.ctid from session_event e join session s on s.organization_id = e.organization_id and s.id = e.session_id
      where s.ended_at < ${endedBefore}::timestamptz limit ${limit})`,
  );
}

export async function deleteIdempotencyKeys(createdBefore: Date): Promise<void> {
  const where = { createdAt: { lt: createdBefore } };
  await systemDb('retention of idempotency keys').idempotencyKey.deleteMany({ where });
}

/** Sign-ins that ended by themselves or were revoked before. */
export async function deleteAuthSessions(endedBefore: Date): Promise<void> {
  const where = {
    OR: [{ expiresAt: { lt: endedBefore } }, { revokedAt: { lt: endedBefore } }],
  };
  await systemDb('retention of sign-ins').authSession.deleteMany({ where });
}
