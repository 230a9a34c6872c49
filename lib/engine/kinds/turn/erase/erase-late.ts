import type { AttemptRow } from '@/lib/engine/attempt/data';
import type { TenantScope } from '@/lib/platform/db/scope';
import type { TenantDb } from '@/lib/platform/db/tenant-db';
import { getTurnOfSession } from '../data';
import { eraseSessions } from './data';

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
