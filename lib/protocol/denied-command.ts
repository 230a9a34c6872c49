/** Which commands of confined agents count as denied. Without schemas, so that pages stay small. */
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
