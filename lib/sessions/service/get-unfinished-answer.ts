import { inTransaction } from '@/lib/db/tenant-db';
import { findKeptUnfinished } from '@/lib/events/unfinished/data';
import { requireId } from '@/lib/ids/require-id';
import type { TenantScope } from '@/lib/tenancy/scope';

/** What a session that has ended left of an answer that was being written; null where nothing. */
export function getUnfinishedAnswer(scope: TenantScope, sessionId: string): Promise<string | null> {
  const id = requireId('ses', sessionId);
  return inTransaction(scope, async (db) => (await findKeptUnfinished(db, id))?.text ?? null);
}
