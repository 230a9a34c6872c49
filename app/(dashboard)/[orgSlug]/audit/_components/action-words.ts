import { AUDIT_ACTION_WORDS, AUDIT_KIND_WORDS, type AuditKind } from '@/lib/identity/audit/actions';

/** "Runners", "Demo". */
export function kindTitle(kind: AuditKind): string {
  const words = AUDIT_KIND_WORDS[kind].replace(/^the /, '');
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** What was done, as a sentence without its subject; an action of a newer version as its code. */
export function actionWords(action: string): string {
  return (AUDIT_ACTION_WORDS as Record<string, string>)[action] ?? action;
}
