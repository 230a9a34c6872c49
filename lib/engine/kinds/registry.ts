import type { SessionKind } from '../statuses';
import type { WorkKind } from './kind';
import { tierKind } from './tier/tier-kind';
import { turnKind } from './turn/turn-kind';

const KINDS: Record<SessionKind, WorkKind> = { tier: tierKind, ask: turnKind };

/**
 * Returns the kind of work of an attempt, by its session: both kinds have attempts that continue
 * their own conversation.
 */
export function kindOf({ sessionKind }: { sessionKind: SessionKind }): WorkKind {
  return KINDS[sessionKind];
}
