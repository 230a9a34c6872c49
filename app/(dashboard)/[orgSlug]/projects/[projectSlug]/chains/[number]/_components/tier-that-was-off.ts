import type { ChainDetail } from '@/lib/insight/chains/schema';

/** Reasons by which a tier doesn't start because the project doesn't allow it. */
const OFF = ['MAX_TIER', 'TIER_DISABLED'];

/** Returns the tier that a chain needed and the project doesn't allow; null for other chains. */
export function tierThatWasOff({
  outcomeReason,
  highestTier,
}: Pick<ChainDetail, 'outcomeReason' | 'highestTier'>): 2 | 3 | null {
  if (outcomeReason === null || !OFF.includes(outcomeReason)) return null;
  if (highestTier === 1) return 2;
  return highestTier === 2 ? 3 : null;
}
