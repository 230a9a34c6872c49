import type { WorkKind } from '../kind';
import { claimableTier } from './claim/claim-tier';
import { settleTier } from './settle/settle-tier';

/** A tier of a chain. */
export const tierKind: WorkKind = {
  claimable: claimableTier,
  // Events are stored in the session's stream, and a tier asks no questions.
  keepEvents: async () => {},
  settle: settleTier,
  ledgerTier: (sessionTier) => sessionTier,
  endUnsettled: async () => {},
};
