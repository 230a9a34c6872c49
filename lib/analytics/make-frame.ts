import type { TenantScope } from '@/lib/tenancy/scope';
import { bucketSizeOf, bucketsOf, type PlotRange } from './buckets';
import type { PlotFrame } from './frame';
import { labelsOf } from './labels';

export interface PlotRequest {
  range: PlotRange;
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
  const buckets = bucketsOf(range, now, timeZone);
  return {
    organizationId: scope.organizationId,
    projectId,
    buckets,
    labels: labelsOf(buckets, bucketSizeOf(range), timeZone),
    rangeWords: RANGE_WORDS[range],
    now,
  };
}
