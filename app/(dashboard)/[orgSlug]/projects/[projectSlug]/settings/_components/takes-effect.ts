import type { FieldChange } from '@/lib/projects/difference';

/** Chains freeze what they start with; a turn of a conversation takes what is in force. */
export function takesEffect(changes: readonly Pick<FieldChange, 'path'>[]): string {
  const isOfTurns = ({ path }: Pick<FieldChange, 'path'>) => /(^|\.)askAgents\b/.test(path);
  if (changes.length > 0 && changes.every(isOfTurns)) {
    return 'takes effect from the next turn of a conversation';
  }
  return changes.some(isOfTurns)
    ? 'takes effect from the next chain, and the next turn of a conversation'
    : 'takes effect from the next chain';
}
