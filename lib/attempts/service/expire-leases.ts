import { Prisma } from '@/generated/prisma/client';
import { systemDb } from '@/lib/db/global-db';
import { LEASE_SECONDS } from '@/lib/runner-protocol/schema';
import { RUNNER_API } from '@/lib/runners/api-presence';
import { settleLostAttempt } from '@/lib/settlement/service';
import { scopeOfSystem } from '@/lib/tenancy/make-scope';

/**
 * Ends attempts whose runner is silent. A lease may only expire after the runner API itself has
 * answered for as long as a lease lasts: a control plane that was away must not call runners lost.
 *
 * @returns how many attempts were ended
 */
export async function expireLeases(now = new Date()): Promise<number> {
  const db = systemDb('leases of every organization');
  const presence = await db.processHeartbeat.findUnique({ where: { name: RUNNER_API } });
  if (!presence || now.getTime() - presence.continuousSince.getTime() < LEASE_SECONDS * 1_000)
    return 0;
  if (now.getTime() - presence.lastAt.getTime() > LEASE_SECONDS * 1_000) return 0;
  const expired = await db.$queryRaw<{ id: string; organization_id: string }[]>(
    Prisma.sql`select id, organization_id from attempt
      where status in ('claimed', 'running', 'stopping') and lease_expires_at < ${now}::timestamptz and result is null
      limit 200`,
  );
  for (const attempt of expired) {
    await settleLostAttempt(scopeOfSystem(attempt.organization_id, 'Lease watch'), attempt.id, now);
  }
  return expired.length;
}
