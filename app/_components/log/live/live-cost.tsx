'use client';

import { formatCost, formatCostExact } from '@/lib/format/cost';
import { Unknown } from '../../status/cost';
import { useFeedState } from './feed-context';

/** Of the requests seen so far, by list prices; the process reports the true figure at its end. */
export function LiveCost() {
  const { estimatedMicros } = useFeedState();
  if (estimatedMicros === 0) return <Unknown reason="A process reports its cost when it ends" />;
  return (
    <span
      className="whitespace-nowrap tabular-nums"
      title={`${formatCostExact(estimatedMicros)} by list prices; the process reports its cost when it ends`}
    >
      {formatCost(estimatedMicros)} est. so far
    </span>
  );
}
