'use client';

import { useFeedState } from '@/app/_components/log/live/feed-context';
import { Unknown } from '@/app/_components/status/cost';
import { formatCost, formatCostExact } from '@/lib/format/cost';

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
