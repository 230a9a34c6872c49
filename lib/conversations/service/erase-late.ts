import type { AttemptRow } from '@/lib/attempts/data';
import type { TenantDb } from '@/lib/db/tenant-db';
import type { TenantScope } from '@/lib/tenancy/scope';
import { eraseSessions } from '../erase/data';
import { getTurnOfSession } from '../turns/data';

/** What a process still says once its conversation was deleted goes too. The attempt is locked. */
export async function eraseLate(
  db: TenantDb,
  { organizationId }: Pick<TenantScope, 'organizationId'>,
  { purpose, sessionId }: AttemptRow,
): Promise<void> {
  if (purpose !== 'ask') return;
  const turn = await getTurnOfSession(db, sessionId);
  if (turn?.conversation.deletedAt) await eraseSessions(db, organizationId, [sessionId]);
}
