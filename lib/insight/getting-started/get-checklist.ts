import type { TenantScope } from '@/lib/platform/db/scope';
import { inTransaction } from '@/lib/platform/db/tenant-db';
import { type ChecklistStep, checklistOf } from './checklist';
import { getChecklistFacts } from './data';

/** The steps of "Get started" for the reader; null once they are done or dismissed. */
export function getChecklist(
  scope: TenantScope,
  now = new Date(),
): Promise<ChecklistStep[] | null> {
  return inTransaction(scope, async (db) => {
    const facts = await getChecklistFacts(db, now);
    return facts ? checklistOf(facts, scope.role) : null;
  });
}
