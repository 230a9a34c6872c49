import type { WorkKind } from '../kind';
import { claimableTier } from './claim/claim-tier';
import { settleTier } from './settle/settle-tier';

/** A tier of a chain. */
export const tierKind: WorkKind = {
  claimable: claimableTier,
  // Its events are its session's, and nobody is asked anything.
  keepEvents: async () => {},
  settle: settleTier,
  ledgerTier: (sessionTier) => sessionTier,
  endUnsettled: async () => {},
};
