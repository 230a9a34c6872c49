import { ASK_TIER } from '../../statuses';
import type { WorkKind } from '../kind';
import { claimableTurn } from './claim/claim-turn';
import { eraseLate } from './erase/erase-turns';
import { keepQuestions } from './questions/keep-questions';
import { cancelQuestions } from './settle/data';
import { settleTurn } from './settle/settle-turn';

/** A turn of a conversation. */
export const turnKind: WorkKind = {
  claimable: claimableTurn,
  keepEvents: (db, scope, attempt, events, isLate) =>
    isLate ? eraseLate(db, scope, attempt) : keepQuestions(db, attempt, events),
  settle: settleTurn,
  ledgerTier: () => ASK_TIER,
  endUnsettled: async (db, scope, attempt, now) => {
    await cancelQuestions(db, attempt.id, now);
    await eraseLate(db, scope, attempt);
  },
};
