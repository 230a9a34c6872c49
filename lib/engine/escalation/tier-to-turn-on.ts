/** Reasons that end a chain because the next tier isn’t allowed by the project's settings. */
const STOPPED_BY_SETTINGS: readonly (string | null)[] = ['MAX_TIER', 'TIER_DISABLED'];

interface StoppedChain {
  outcome: string | null;
  /** Code of the outcome. */
  reason: string | null;
  /** 0 if no session started. */
  highestTier: number;
}

/** Returns the tier that would have acted if the settings had allowed it; null if another reason ended the chain. */
export function tierToTurnOn({ outcome, reason, highestTier }: StoppedChain): 2 | 3 | null {
  if (outcome !== 'needs_human' || !STOPPED_BY_SETTINGS.includes(reason)) return null;
  if (highestTier === 1) return 2;
  return highestTier === 2 ? 3 : null;
}
