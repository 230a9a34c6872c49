/** What events of confined agents carry in place of words. Without schemas, so that pages stay small. */
import type { BrokeredEvent } from './confined-events';

/** The code of the refusal of a command that waits for a person when its process ends. */
export const APPROVAL_PENDING = 'approval_pending';

/**
 * Whether an event says that a command was denied: refused, and not because it still waits for a person.
 * A command has at most one such event.
 */
export function isDeniedCommand({
  phase,
  refusal,
}: Pick<BrokeredEvent, 'phase' | 'refusal'>): boolean {
  return phase === 'refused' && refusal?.code !== APPROVAL_PENDING;
}

/** In place of the provider's id, for a model request that ended without an answer: its figures are estimates. */
export const UNANSWERED = 'unanswered';
