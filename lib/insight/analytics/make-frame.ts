import type { TenantScope } from '@/lib/platform/db/scope';
import { bucketSizeOf, bucketsOf, type PlotRange, type PlotSpan } from './buckets';
import type { PlotFrame } from './frame';
import { labelsOf, spanWords } from './labels';

export interface PlotRequest {
  range: PlotSpan;
  /** IANA name: whose days and hours the columns are. */
  timeZone: string;
}

const RANGE_WORDS: Record<PlotRange, string> = {
  '24h': 'the last 24 hours',
  '7d': 'the last 7 days',
  '30d': 'the last 30 days',
  '90d': 'the last 13 weeks',
};

/** `projectId` is a UUID; null for every project of the organization. */
export function makeFrame(
  scope: TenantScope,
  { range, timeZone }: PlotRequest,
  projectId: string | null,
  now: Date,
): PlotFrame {
  const size = bucketSizeOf(range);
  const buckets = bucketsOf(range, now, timeZone);
  return {
    organizationId: scope.organizationId,
    projectId,
    size,
    buckets,
    labels: labelsOf(buckets, size, timeZone),
    rangeWords:
      typeof range === 'string'
        ? RANGE_WORDS[range]
        : `the span ${spanWords(buckets, size, timeZone)}`,
    now,
  };
}
