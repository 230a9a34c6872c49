import type { LedgerRow } from '@/lib/insight/sessions/schema';
import { formatCost, microsOf } from '@/lib/platform/format/cost';
import { formatTokens } from '@/lib/platform/format/count';

const COUNTS = ['inputTokens', 'outputTokens', 'cacheReadTokens', 'cacheWriteTokens'] as const;

type Claim = NonNullable<LedgerRow['claimed']>;

/**
 * Returns how the CLI's own figures differ from those of the gateway, in a few words; null if they
 * don't, or if the CLI is the source. Less than a hundredth of a cent is rounding.
 */
export function claimDifference(row: LedgerRow): string | null {
  const { claimed } = row;
  if (claimed === null) return null;
  const tokens = total(claimed) - total(row);
  const isOtherSplit = COUNTS.some((count) => claimed[count] !== row[count]);
  if (tokens !== 0) {
    return `The CLI says ${formatTokens(Math.abs(tokens))} tokens ${tokens > 0 ? 'more' : 'less'}`;
  }
  if (isOtherSplit) return 'The CLI divides the tokens differently';
  const usd = (claimed.costUsd ?? row.costUsd) - row.costUsd;
  if (Math.abs(usd) < 0.000_1) return null;
  return `The CLI says ${formatCost(microsOf(Math.abs(usd)))} ${usd > 0 ? 'more' : 'less'}`;
}

function total(counts: Claim | LedgerRow): number {
  return COUNTS.reduce((sum, count) => sum + counts[count], 0);
}
