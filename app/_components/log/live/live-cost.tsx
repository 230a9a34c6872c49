'use client';

import { formatCost, formatCostExact } from '@/lib/platform/format/cost';
import { Unknown } from '../../status/cost';
import { useEstimatedMicros } from './feed-context';

/** Of the requests seen so far, by list prices; the process reports the true figure at its end. */
export function LiveCost() {
  const micros = useEstimatedMicros();
  if (micros === 0) return <Unknown reason="A process reports its cost when it ends" />;
  return (
    <span
      className="whitespace-nowrap tabular-nums"
      title={`${formatCostExact(micros)} by list prices; the process reports its cost when it ends`}
    >
      {formatCost(micros)} est. so far
    </span>
  );
}
