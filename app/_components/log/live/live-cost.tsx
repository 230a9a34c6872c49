'use client';

import { formatCostExact, formatRunningCost } from '@/lib/platform/format/cost';
import { Tooltip } from '../../ui/tooltip';
import { useRunningCost } from './feed-context';

/** "$0.12 so far est."; a dash with its reason while nothing is known. Focus shows the tip, too. */
export function LiveCost() {
  const { micros, isEstimate, reason } = useRunningCost();
  if (micros === null) {
    return (
      <Tooltip tip={reason}>
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: its reason must be within reach of the keyboard */}
        <span tabIndex={0} className="rounded-badge text-text-3">
          <span aria-hidden>—</span>
          <span className="sr-only">Cost unknown: {reason}</span>
        </span>
      </Tooltip>
    );
  }
  const tip = isEstimate
    ? `${formatCostExact(micros)} by list prices. The process reports its cost when it ends.`
    : `${formatCostExact(micros)}, as reported by processes that have ended.`;
  return (
    <Tooltip tip={tip}>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: its tip must be within reach of the keyboard */}
      <span tabIndex={0} className="whitespace-nowrap rounded-badge tabular-nums">
        {formatRunningCost(micros)}
        {isEstimate ? <span className="text-text-3"> est.</span> : null}
      </span>
    </Tooltip>
  );
}
