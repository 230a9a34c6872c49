import { inTransaction } from '@/lib/db/tenant-db';
import { findLastWords } from '@/lib/events/unfinished/data';
import { requireId } from '@/lib/ids/require-id';
import type { TenantScope } from '@/lib/tenancy/scope';

/** What a session that ended without an answer has left of one; null where nothing. */
export function getUnfinishedAnswer(scope: TenantScope, sessionId: string): Promise<string | null> {
  const id = requireId('ses', sessionId);
  return inTransaction(scope, (db) => findLastWords(db, scope.organizationId, id));
}
