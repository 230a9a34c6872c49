import type { TenantScope } from '@/lib/platform/db/scope';
import { inTransaction } from '@/lib/platform/db/tenant-db';
import { requireId } from '@/lib/platform/ids/require-id';
import { findLastWords } from '../data';

/** What a session that ended without an answer has left of one; null where nothing. */
export function getUnfinishedAnswer(scope: TenantScope, sessionId: string): Promise<string | null> {
  const id = requireId('ses', sessionId);
  return inTransaction(scope, (db) => findLastWords(db, scope.organizationId, id));
}
