import { ASK_TIER, type SessionKind } from '../statuses';
import type { WorkKind } from './kind';
import { tierClaims } from './tier/claim/claim-tier';
import { settleTier } from './tier/settle/settle-tier';
import { turnClaims } from './turn/claim/claim-turn';
import { cancelQuestions } from './turn/data';
import { eraseLate } from './turn/erase-turns';
import { keepQuestions } from './turn/questions';
import { settleTurn } from './turn/settle/settle-turn';

/** A tier of a chain. */
const tierKind: WorkKind = {
  ...tierClaims,
  // Events are stored in the session's stream, and a tier asks no questions.
  keepEvents: async () => {},
  settle: settleTier,
  ledgerTier: (sessionTier) => sessionTier,
  endUnsettled: async () => {},
};

/** A turn of a conversation. */
const turnKind: WorkKind = {
  ...turnClaims,
  keepEvents: (db, attempt, events, isLate) =>
    isLate ? eraseLate(db, attempt) : keepQuestions(db, attempt, events),
  settle: settleTurn,
  ledgerTier: () => ASK_TIER,
  endUnsettled: async (db, attempt, now) => {
    await cancelQuestions(db, attempt.id, now);
    await eraseLate(db, attempt);
  },
};

const KINDS: Record<SessionKind, WorkKind> = { tier: tierKind, ask: turnKind };

/**
 * Returns the kind of work of an attempt, by its session: both kinds have attempts that continue
 * their own conversation.
 */
export function kindOf({ sessionKind }: { sessionKind: SessionKind }): WorkKind {
  return KINDS[sessionKind];
}
